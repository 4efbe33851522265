"""The Read tab: a visitor opens films, a classifier reads them, and a cohort puts the result in context."""
