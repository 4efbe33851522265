"""Rebuilds the shipped cohort nih-oof from the numbers next to its models (`tailscope demo`)."""
