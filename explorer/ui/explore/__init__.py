"""The Explore tab: slices of a cohort, their films, their numbers."""
