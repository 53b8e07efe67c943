"""The store in other systems' formats."""
