"""How many calls of one kind Gradio runs at once."""

OPENED = 8  # films opened, or endpoint calls; `models.films.decode_pool` limits how many are decoded at once
