"""The commands, a module for each subject.

The function of `why-late` is `why_late_command`. A question, a command that answers from a store, is made by
`cli/question.py`, which adds the stores, the formats and the output file; its query belongs to `store/queries`. Other
commands parse options, ask `store`, `harvest` or `lineage`, and return what to show.
"""
