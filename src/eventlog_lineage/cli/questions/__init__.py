"""The questions: one command per module, each an answer of a store.

A module here has a `command` made by `cli/question.py`, which adds the stores, the formats and the output file. The
query belongs to `store/queries`; a command that changes a store or reads logs belongs to `cli/commands`.
"""
