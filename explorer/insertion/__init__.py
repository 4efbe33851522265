"""Puts a simulated finding into a film, aligned with its lungs, by changing what passes through the patient."""
