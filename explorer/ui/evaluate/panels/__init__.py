"""The panels of Evaluate beside the leaderboard: one file each, all in the table of `all_panels`."""
