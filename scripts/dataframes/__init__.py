"""DataFrame code and streams whose lineage is known; `make_dataframe_logs.py` runs it."""
