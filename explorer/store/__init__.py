"""Cohorts as tables in DuckDB, and all queries on them. `database.py` alone imports duckdb."""
