"""Rules that find doubtful labels: confident scores, contradictions, near-duplicates."""
