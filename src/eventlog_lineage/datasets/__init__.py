"""Names of datasets: tables, paths, topics, and the sources and sinks of streams.

A table has the same name in plans, jobs and offsets. Text of operators belongs in `operators`, text of a single table
format in `formats`.
"""
