"""Inference methods for trained networks: averaging views of a film, or combining several networks."""
