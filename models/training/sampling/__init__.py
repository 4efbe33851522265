"""In which order an epoch shows its films, one way in each file, all called alike: labels (n, k) to row numbers."""
