"""Slow bootstrap intervals, computed in background processes."""
