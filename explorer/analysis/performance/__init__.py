"""A model's performance by finding and center, its confusions, and the comparison of two slices."""
