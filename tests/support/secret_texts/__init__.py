"""Secrets in all their spellings."""
