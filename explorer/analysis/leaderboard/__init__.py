"""The leaderboard of Evaluate: models side by side on the same films, by group of findings."""
