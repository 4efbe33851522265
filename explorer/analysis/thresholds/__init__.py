"""Thresholds of a cohort: chosen, listed, what they cost, and which one a single film is read with."""
