"""Makes and measures the phantom's models from its own films."""
