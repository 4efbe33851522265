"""Scores a cohort with a model: which films remain, decoding and inference in parallel, shards on disk."""
