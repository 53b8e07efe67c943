"""Where event logs are: local folders, object stores, HDFS and History Servers.

File listings become `EventLog` values here. Decompression belongs in `codecs`, JSON in `decoding`.
"""
