"""Derive columns from expressions: analyze expressions to references, and combine derivations.

Operators' rules use this package, which does not depend on operators.
"""
