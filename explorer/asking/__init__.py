"""Free-text questions about a film: what an image-text model answers, and how far that is to be believed."""
