"""Readers beside models: what a reader study says of the readers, and of readers like them."""
