"""The other commands, a module for each subject.

A module here parses options, asks `store`, `harvest` or `lineage`, and returns what to show. Options that several
commands share, output formats and configuration belong in `cli` itself.
"""
