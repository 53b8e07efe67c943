"""What is kept: tables, DuckDB, Parquet."""
