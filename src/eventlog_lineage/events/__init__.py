"""Event logs: where they are, how they are compressed, which of their lines matter, and the executions in them.

`sources` lists logs, `codecs` decompresses, `decoding` reads lines, `assembly` joins events to executions. Plan texts
pass through unread; their meaning belongs in `plan`.
"""
