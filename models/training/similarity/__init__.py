"""Losses that pull the projected features of like films together, by name."""
