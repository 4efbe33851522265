"""How many calls of a kind Gradio works on at once."""

OPENED = 8  # films taken in, or endpoints asked; how many are decoded at once is up to `models.films.decode_pool`
