"""Reads users' CSV files and checks them cell by cell; problems are listed with line and image."""
