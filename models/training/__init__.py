"""Training of the shipped weights, which can be repeated on any NIH folder."""
