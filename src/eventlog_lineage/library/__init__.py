"""The library: what `import eventlog_lineage` offers to notebooks and scheduled jobs.

`answers` has the questions of a store, `harvests` a harvest and the lineage of one log. Names and arguments here are
the interface of the package (`docs/library.md`); everything below may change. Command lines belong in `cli`.
"""
