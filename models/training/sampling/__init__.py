"""The order of films in an epoch, one method per file: each maps labels (n, k) to row numbers."""
