"""Evaluate's other comparisons: head to tail, recipes, label sources, subgroups, co-occurrence, thresholds."""
