"""The lab: trains the challenge's long-tail recipes on the same simulated films and compares them."""
