"""Bytes of a log part to chunks of text, by what the bytes are.

Codecs know nothing of events. Corrupt and truncated input ends a stream here and is reported by its reader.
"""
