"""Read event logs: find them, decompress them, select the relevant lines, and assemble the executions.

`sources` lists logs, `compression` decompresses, `decoding` reads lines, `assembly` joins events to executions. Plan
texts pass through unread; `plan` reads them.
"""
