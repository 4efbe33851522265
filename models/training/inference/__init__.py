"""Ways to answer with networks that are trained: over several views of a film, or several networks together."""
