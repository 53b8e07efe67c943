"""Rules of relational operators: rows in, rows out.

Scans, writes and commands have their own packages.
"""
