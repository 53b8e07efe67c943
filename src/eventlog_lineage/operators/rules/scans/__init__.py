"""Rules of operators that read: files, tables, relations, caches and streams."""
