"""Which executions make one statement, and which other plans explain its attributes.

Works on plan summaries only; plans are parsed in `tracing`.
"""
