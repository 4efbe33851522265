"""Labels and scores from two CSV files, checked; the challenge's table computed from them."""
