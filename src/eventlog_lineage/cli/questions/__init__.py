"""The questions, a module for each subject: commands that answer from a store.

The function of `why-late` is `why_late_command`, made a command by `cli/question.py`, which adds the stores, the
formats and the output file. The query belongs to `store/queries`; a command that changes a store or reads logs belongs
to `cli/commands`.
"""
