"""Models room: radiographs in, scores, features and heat maps out. Knows nothing of the explorer, DuckDB or Gradio."""

from models.without_compiler import skip_compiler

skip_compiler()  # before any room here imports timm
