"""Facts and words shared by all rooms: findings, groups, outcomes, rates. No I/O except for the tables in `data/`."""
