"""Build trees of operators with their fields, and complete what Spark truncated or omitted.

Text belongs in `printed`; plans without physical operators in `unresolved`.
"""
