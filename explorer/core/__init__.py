"""Facts and words that every room shares: findings, groups, outcomes, rates. No I/O but the tables in `data/`."""
