"""The commands, one module each: the module's name is the command's name.

A module here parses options, asks `store`, `harvest` or `lineage`, and returns what to show. Options that several
commands share, output formats and configuration belong in `cli` itself.
"""
