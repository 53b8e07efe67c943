"""Trace the executions of an application to the lineage of its statements.

`grouping` forms statements, `passes` lists the steps that trace one, `tracing` has these steps, `results` turns the
traced statement into edges, gaps and observations. Operators are resolved in `operators`, what belongs to one table
format in `formats`; nothing here reads logs or writes stores.
"""
