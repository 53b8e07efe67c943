"""Merge one harvest into the tables of the store, in DuckDB's SQL.

`STEPS` lists the steps in order; each names what it reads and what it makes. The SQL is in `store/sql`. Files and
versions belong in `versions`.
"""
