"""Rules of operators that run user code: Python, Scala functions and scripts.

Their outputs depend on all input columns. User functions in expressions belong in `derivations`.
"""
