"""The folder of a store: versions, lock, Parquet files, and the writer that publishes a new version.

Readers see a version completely or not at all. What is in the tables belongs in `fold`.
"""
