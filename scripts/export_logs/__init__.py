"""Jobs whose logs the tests of the exports read; `make_export_logs.py` runs them."""
