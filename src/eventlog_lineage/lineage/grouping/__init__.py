"""Group executions into statements, link the plans that bind attributes of others, and name the result.

Works on plan summaries only; plans are parsed in `tracing`.
"""
