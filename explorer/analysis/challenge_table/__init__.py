"""Reads and checks labels and scores from two CSV files; computes the challenge's table from them."""
