"""Derive columns from expressions: analyse expressions to references, and combine derivations.

Operators' rules use this package, which does not depend on operators.
"""
