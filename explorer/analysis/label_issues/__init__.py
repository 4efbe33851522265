"""Labels that a rule speaks against: confident scores, contradictions, near-duplicates."""
