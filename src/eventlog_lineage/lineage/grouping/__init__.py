"""Group executions into statements, link the plans that bind one another's attributes, and compute lineage ids.

Works on plan summaries only; plans are parsed in `tracing`.
"""
