"""Cohorts on disk: where they lie, what their files hold, how these are written and found again."""
