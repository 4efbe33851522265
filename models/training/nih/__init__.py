"""Classifiers for NIH films: the folder as training arrays, and from a finished run to what is shipped."""
