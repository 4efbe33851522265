"""Ways of mixing the films of a batch, by name."""
