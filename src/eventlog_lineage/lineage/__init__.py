"""Trace the executions of an application to the lineage of its statements.

`grouping` forms statements, `trace_statement` lists the passes that trace one, `tracing` has them, `results` turns the
traced statement into edges, gaps and observations. Operators are resolved in `operators`, what belongs to one table
format in `formats`; nothing here reads logs or writes stores.
"""
