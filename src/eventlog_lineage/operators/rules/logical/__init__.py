"""Rules of operators that occur in logical plans only.

Logical plans are read where a physical plan lacks something: what a view selects, or what a command writes.
"""
