"""The image-text model: towers, embeddings, prompt scores, and heat maps for a text on a film."""
