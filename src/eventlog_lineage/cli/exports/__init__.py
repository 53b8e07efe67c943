"""The formats of `export`: a module is a format, its file's name is the format's name, and `command` its command.

Options and messages belong here. What a format looks like belongs in `eventlog_lineage.export`.
"""
