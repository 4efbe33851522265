"""Cohorts on disk: their location, the content of their files, reading and writing."""
