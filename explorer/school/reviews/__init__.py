"""Reviews: readers vote on films and suggested labels; their votes become a benchmark with known agreement."""
