"""Radiographs in; scores, features and heat maps out. Imports nothing from the explorer, DuckDB or Gradio."""

from models.without_compiler import skip_compiler

skip_compiler()  # must run before timm is imported anywhere in this package
