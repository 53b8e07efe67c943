"""Merging one harvest into the store's tables, in DuckDB's SQL."""
