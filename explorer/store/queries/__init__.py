"""The store's queries in SQL, and the tables that they use. Nothing here imports duckdb: `database.py` does."""
