"""Makes the NIH's models: members, ensemble, cards and registry files."""
