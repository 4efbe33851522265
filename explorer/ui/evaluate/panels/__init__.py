"""Evaluate's panels besides the leaderboard: one file each, listed in `all_panels`."""
