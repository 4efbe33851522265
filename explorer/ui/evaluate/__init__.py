"""Evaluate: the models of a cohort side by side."""
