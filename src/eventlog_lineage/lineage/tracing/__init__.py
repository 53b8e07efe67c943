"""The passes that trace a statement: from the texts of its plans to the flow of each execution.

Each pass is a function from `StatementTrace` to `StatementTrace`, listed in `lineage.passes`. What one operator does is
a rule in `operators.rules`.
"""
