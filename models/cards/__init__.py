"""Model cards and the TOML files of the registry, and the weights they name, verified."""
