"""nih-mini: the NIH folder as training arrays, and from a finished run to what is shipped."""
