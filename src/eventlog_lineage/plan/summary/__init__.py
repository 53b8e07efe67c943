"""Cheap summaries of plan texts, from scans without parsing.

Fingerprints, attribute ids, root command, facts about tables and sessions. Full parsing belongs in the readers.
"""
