"""Calculations from the printed tables, one a file; each returns a table of results with its numbers."""
