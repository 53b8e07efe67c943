"""Cheap facts about a plan text, found by scanning before any parsing.

Fingerprints, attribute ids, root command, tables and snapshots. Full parsing belongs in the readers.
"""
