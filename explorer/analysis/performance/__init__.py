"""How good a model is by finding and center, confusions, and two slices compared."""
