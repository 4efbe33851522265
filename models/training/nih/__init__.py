"""Classifiers for NIH films: reads the folder as training arrays, and turns a finished run into what is shipped."""
