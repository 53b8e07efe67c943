"""Rules of operators that write rows to tables, paths and sinks."""
