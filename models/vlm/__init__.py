"""The image-text model: towers, embeddings, prompts against films, where a film meets a text."""
