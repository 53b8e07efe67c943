"""Tokens that vendors mark with a prefix."""
