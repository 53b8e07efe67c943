"""The store: its tables, its folder, its checks, and the questions that it answers.

From the bottom up: `schema` declares tables and makes databases, `fold` merges a harvest, `versions` writes, checks and
repairs versions in a folder, `remote` moves them to object storage and HDFS, `writer` publishes a harvest,
`administration` has the commands; `queries` and `panels` read. The only package, with `export` and `report`, that
imports DuckDB. What lineage means is decided below.
"""
