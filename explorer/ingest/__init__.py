"""Turns what a user brings into cohorts: tables, folders of films, NIH's download, scores made elsewhere."""
