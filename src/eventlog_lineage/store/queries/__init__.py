"""Questions about a store, and opening a store for reading.

A question takes an open store and returns an `Answer`. Options and output belong in `cli`, charts for
dashboards in `panels`.
"""
