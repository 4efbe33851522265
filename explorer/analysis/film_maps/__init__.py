"""The map of a cohort: its films in two dimensions, placed by a model's features."""
