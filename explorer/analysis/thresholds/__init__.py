"""Thresholds of a cohort: choosing them, listing them, their cost, and the one that a single film is read with."""
