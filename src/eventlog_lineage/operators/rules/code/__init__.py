"""Rules of operators that run user code: Python, Scala functions and scripts.

Their outputs depend on all columns that they are given. User functions inside of expressions belong in `derivations`.
"""
