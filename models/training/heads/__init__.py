"""Heads: from the backbone's last feature map to logits, one file per head."""
