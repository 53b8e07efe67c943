"""Name tables that writes print as objects by their columns.

The columns are those that the plans of the application list, and those that the store has.
"""
