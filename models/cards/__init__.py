"""Model cards, the registry's TOML files, and verification of the weights they name."""
