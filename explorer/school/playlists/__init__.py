"""Playlists: films with a question each, drawn, typed or simulated, and what is true of each film."""
