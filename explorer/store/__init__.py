"""Cohorts as tables in DuckDB, and every question that is asked of them. `database.py` alone imports duckdb."""
