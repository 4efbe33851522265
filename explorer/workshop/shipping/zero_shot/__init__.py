"""Makes the shipped scores of unseen findings by several ways of asking, with parameters chosen on seen findings."""
