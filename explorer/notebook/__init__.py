"""Notebook room: a cohort as pandas frames, with the numbers of the page."""
