"""Evaluate's leaderboard: models compared on the same films, by group of findings."""
