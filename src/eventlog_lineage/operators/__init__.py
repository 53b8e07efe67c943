"""The lineage of operators: one rule per operator (`rules`), and the code that rules share.

A rule takes an `Operation` (an operator with the flows of its inputs) and returns a `Flow`. `commands.py` is the
catalogue of commands. Parsing of plan text belongs in `plan`, lineage across several plans in `lineage`.
"""
