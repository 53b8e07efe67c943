"""Rules of operators that run user code: Python, Scala functions and scripts."""
