"""The losses of the long-tail recipes, one per file: each maps logits and labels (n, k) to a loss (n,)."""
