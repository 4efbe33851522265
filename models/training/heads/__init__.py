"""What stands between the backbone's last feature map and the logits: one small file for each head."""
