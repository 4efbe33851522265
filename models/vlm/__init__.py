"""The image-text model: towers, embeddings, prompt scores, and heat maps of a text on a film."""
