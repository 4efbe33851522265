"""Changes of a simulated film that only physics can make: the same patient, imaged in another way.

One file for each kind, with its source; `registry.py` lists them. Unlike `models/perturbations`, which change pixels,
they draw the patient again, with exact masks.
"""
