"""Bootstrap intervals that take long, computed in the background by other processes."""
