"""Makes the shipped scores of unseen findings in several ways of asking, with parameters chosen on seen findings."""
