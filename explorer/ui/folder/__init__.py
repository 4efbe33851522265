"""The panel of many films that were dropped on Read at once."""
