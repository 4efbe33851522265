"""The Simulate tab: a simulated film to the visitor's order, its twin, and the phantom models' scores."""
