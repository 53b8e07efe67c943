"""Rules of operators that read: files, tables, relations, caches and streams.

The names of tables and paths belong in `datasets`, those of one format's tables in `formats`.
"""
