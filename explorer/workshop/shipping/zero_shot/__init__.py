"""Makes the shipped scores of unseen findings: ways to ask, and the ones chosen on seen findings."""
