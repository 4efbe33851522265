"""The store's questions in SQL, and the tables that they ask. Nothing here imports duckdb: `database.py` does."""
