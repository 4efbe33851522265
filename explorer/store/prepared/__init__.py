"""Prepared files: a cohort's films, and a model's pairs sorted worst first, written once and opened read-only."""
