"""Facts and words that every room shares: findings, groups, outcomes, rates. No I/O except the tables in `data/`."""
