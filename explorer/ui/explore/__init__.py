"""The Explore tab: slices of a cohort, with their films and figures."""
