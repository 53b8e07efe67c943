"""The store: its tables, its folder, its checks, and the questions that it answers.

`schema` declares, `fold` merges a harvest, `publish` writes versions, `integrity` checks and repairs, `queries` and
`panels` read. The only package, with `export` and `report`, that imports DuckDB. What lineage means is decided below.
"""
