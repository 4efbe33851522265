"""Where a model fails: slices of films that it reads worse than the others, found on half of the patients."""
