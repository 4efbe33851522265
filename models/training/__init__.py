"""Training of the shipped weights, repeatable on any NIH folder."""
