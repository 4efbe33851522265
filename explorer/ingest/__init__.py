"""What a user brings, made into cohorts: tables, folders of films, NIH's own download, scores made elsewhere."""
