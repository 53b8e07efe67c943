"""Questions about a store: one module per question, and opening a store for reading.

A question takes an open store and returns an `Answer`. Options and output belong in `cli.commands`, charts for
dashboards in `panels`.
"""
