"""Cheap summaries of plan texts, taken by scanning before any parsing.

Fingerprints, attribute ids, root command, facts about tables and sessions. Full parsing belongs in the readers.
"""
