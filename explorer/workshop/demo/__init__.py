"""The shipped cohort nih-oof, made again from the numbers beside its models (`tailscope demo`)."""
