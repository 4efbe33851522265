"""How the shipped weights were made, re-runnable on any NIH folder."""
