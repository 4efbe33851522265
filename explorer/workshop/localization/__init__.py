"""Measures how often heat maps find their target: films with masks, methods, measurements, summary."""
