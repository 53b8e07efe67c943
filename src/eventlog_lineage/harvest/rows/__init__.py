"""Assembled logs to rows of the harvest's tables."""
