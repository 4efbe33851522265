"""Makes what the repository ships: the cohorts nih-oof and phantom, the models of the phantom."""
