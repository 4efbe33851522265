"""Trains the network that outlines anatomy, on simulated films alone."""
