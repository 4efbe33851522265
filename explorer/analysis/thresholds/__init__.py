"""A cohort's thresholds: choosing and listing them, their cost, and those used to read single films."""
