"""The losses of the long-tail recipes, one in each file, all called alike: logits and labels (n, k) to a loss (n,)."""
