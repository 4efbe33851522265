"""Classifiers of the NIH's films: the folder as training arrays, and from a finished run to what is shipped."""
