"""The map of a cohort: films in two dimensions by what a model sees in them."""
