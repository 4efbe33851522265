"""Model cards, the registry's TOML files, and the weights they name, verified."""
