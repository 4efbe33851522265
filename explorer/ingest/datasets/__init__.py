"""Importers of public datasets, one per dataset, and the code they share."""
