"""Ways to score findings that no label names, by words alone: compared on the phantom's six unseen findings."""
