"""The page: the only package, besides app.py, that imports gradio. It imports neither torch nor duckdb."""
