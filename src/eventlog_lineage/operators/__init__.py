"""The meaning of operators for columns: a rule per operator (`rules`), and what rules share.

A rule takes an `Operation` (an operator with the flows of its inputs) and returns a `Flow`. `commands.py` is the
catalogue of commands. Parsing of plan text belongs in `plan`, everything that spans several plans in `lineage`.
"""
