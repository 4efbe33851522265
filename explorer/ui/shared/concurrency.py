"""How many calls of one kind Gradio runs at once."""

# Films opened, or endpoint calls; `models.films.decode_pool` limits how many are decoded at once.
MAX_CONCURRENT_CALLS = 8
