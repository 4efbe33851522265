"""Evaluate's panel *A finding*: curves, calibration and spread of several models' scores of one finding."""
