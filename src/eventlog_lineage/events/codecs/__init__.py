"""Decode the bytes of a log part to chunks of text; the bytes decide the codec.

Codecs do not depend on events. Corrupt and truncated input ends a stream; its reader reports it.
"""
