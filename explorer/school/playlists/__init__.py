"""Playlists: films with one question each, drawn, typed or simulated, and each film's truth."""
