"""Evaluate: compares the models of a cohort."""
