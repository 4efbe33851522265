"""nih-mini-vlm, the twin of nih-mini in a text space: captions, the projection, its figures, card and folder."""
