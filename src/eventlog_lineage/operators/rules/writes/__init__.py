"""Rules of operators that write rows to tables, paths and sinks.

A rule here returns a flow with a `Write`. Commands that move no rows are in `commands`.
"""
