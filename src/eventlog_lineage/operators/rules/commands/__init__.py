"""Rules of commands that define, change or maintain objects, and of results of commands.

Commands that write rows are in `writes`; the catalogue of all commands is `operators/commands.py`.
"""
