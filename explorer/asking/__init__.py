"""Free-text questions about a film: an image-text model's answers and how reliable they are."""
