"""Scores a cohort with a model: which films are left, decoding and inference in parallel, shards on disk."""
