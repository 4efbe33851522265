"""Judges answers against a film's truth, counts them, and compiles the results of a class."""
