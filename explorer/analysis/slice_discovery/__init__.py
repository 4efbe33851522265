"""Slice discovery: groups of films on which a model performs worse, found on half of the patients."""
