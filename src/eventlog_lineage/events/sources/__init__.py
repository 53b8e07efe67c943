"""Find event logs in local folders, object stores, HDFS and History Servers.

File listings are converted to `EventLog` values here. Decompression belongs in `compression`, JSON in `decoding`.
"""
