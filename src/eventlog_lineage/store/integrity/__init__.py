"""Whether a store is whole, and the way back to a whole one."""
