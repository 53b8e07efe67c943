"""Resolve the tables that names, objects and locations in an application's plans mean.

`SessionCatalog` replays the executions once and answers for each of them. Works on plan summaries only; grouping and
tracing of statements belong in `lineage`.
"""
