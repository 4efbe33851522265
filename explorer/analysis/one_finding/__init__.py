"""Evaluate's panel *A finding*: curves, calibration and score distributions of several models for one finding."""
