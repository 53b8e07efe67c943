"""The passes that trace a statement: from its plan texts to the flow of each execution.

Each pass is a function from `StatementTrace` to `StatementTrace`, listed in `lineage.trace_statement`. The rules of
single operators are in `operators.rules`.
"""
