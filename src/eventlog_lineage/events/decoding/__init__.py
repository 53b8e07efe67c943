"""Decode lines of a log to the values of `listener_events`.

JSON and the differences between Spark versions and vendors belong here; joining events belongs in `assembly`.
"""
