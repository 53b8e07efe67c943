"""Rules of operators that occur in logical plans only."""
