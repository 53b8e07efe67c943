"""The folder of a store: versions with their manifests, Parquet files, checks and repair.

Readers see a version completely or not at all. What is in the tables belongs in `fold`.
"""
