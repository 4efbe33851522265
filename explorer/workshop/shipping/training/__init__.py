"""How the phantom's models are made and measured, from its own films. Composition: imports models."""
