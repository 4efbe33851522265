"""Models room: radiographs in, scores, features and heat maps out. Knows nothing of the explorer, DuckDB or Gradio."""
