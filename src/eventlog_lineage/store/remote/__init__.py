"""Stores on object storage and HDFS: objects written once, and one object that switches versions.

    URL/current                                      the version that readers see, the list of each version, who writes
    URL/lists/files-8-3f9c2a4d5e6f.json              the files of version 8: path, size, checksum, object
    URL/lineage-8-3f9c2a4d5e6f.duckdb                a file of version 8, and of later versions that do not change it
    URL/executions/started_on=…/part-8-0-8-3f9c2a4d5e6f.parquet

Commands work in a local cache, which is a store in a folder. How a version is made belongs in `versions` and `fold`;
here are the conditional writes, the cache, and what is sent to and fetched from the storage.
"""
