"""Makes nih-mini-vlm, which gives nih-mini's features a text space: captions, projection, figures, card, folder."""
