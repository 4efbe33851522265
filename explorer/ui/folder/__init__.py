"""The folder panel: many films dropped on Read at once."""
