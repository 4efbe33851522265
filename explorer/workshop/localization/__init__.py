"""How often heat maps find their target: films with masks, methods, what was measured, what it comes to."""
