"""Stores for tests: made-up nights, real logs, a shop; and what is in them."""
