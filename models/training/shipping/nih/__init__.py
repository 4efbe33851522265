"""Makes the NIH models: members, ensemble, cards and registry files."""
