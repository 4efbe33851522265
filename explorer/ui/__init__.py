"""The page. The only room besides app.py that imports gradio; no torch, no duckdb."""
