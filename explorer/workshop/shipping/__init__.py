"""Makes what the repository ships: the cohorts nih-oof and phantom, and the phantom's models."""
