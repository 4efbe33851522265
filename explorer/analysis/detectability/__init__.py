"""How often a model flags simulated findings that were put into films without any, by place, size and patient."""
