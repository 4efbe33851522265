"""Several models as one: what the mean of their scores gains, and an ensemble kept as a model."""
