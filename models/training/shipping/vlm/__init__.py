"""Makes nih-mini-vlm, which puts nih-mini's features in a text space: captions, projection, figures, card, folder."""
