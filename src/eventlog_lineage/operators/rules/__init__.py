"""The rules of operators, one file each: an operator's outputs, conditions, reads and writes.

A rule is a pure function, registered by the operator's names. Rules that only one table format needs are in `formats`.
"""
