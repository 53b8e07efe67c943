"""The declaration of every table: columns, types, keys, comments, and the DDL and rows made from it.

A column is declared here once; docs, Parquet files and views follow.
"""
