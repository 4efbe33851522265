"""A cohort as pandas frames for notebooks, with the same numbers as the page."""
