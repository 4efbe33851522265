"""The Simulate tab: a film of the phantom as the visitor asks for it, its twin, and what the phantom models say."""
