"""The rules of operators, one file each: what an operator outputs, what influences its rows, what it reads and writes.

A rule is a pure function, registered by the operator's names. Rules that only one table format needs are in `formats`.
"""
