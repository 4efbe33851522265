"""Makes the shipped weights; not installed with the package."""
