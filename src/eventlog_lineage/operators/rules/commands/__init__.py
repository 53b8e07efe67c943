"""Rules of commands that define, change or maintain objects, and of results of commands."""
