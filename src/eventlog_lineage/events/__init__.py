"""What the log says: files, codecs, events, executions."""
