"""Ways of changing films at random in training, by name."""
