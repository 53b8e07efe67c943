"""The store's folder: versions, lock, Parquet files, and the writer that publishes a new version."""
