"""Rules of operators that occur in logical plans only.

Logical plans are read if a physical plan omits a query: that of a view, or that of a command.
"""
