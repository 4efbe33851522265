"""Ensembles: what averaging scores gains, and saving an ensemble as a model of its cohort."""
