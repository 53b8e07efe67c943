"""The statements behind tests/lakehouse_logs: one module per table format, run by make_lakehouse_logs.py."""
