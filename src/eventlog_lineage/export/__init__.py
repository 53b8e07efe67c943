"""The store in the formats of other systems: OpenLineage, Hive's LineageLogger, CSV, flink-sql-lineage's table.

Each format is made of the same statements, read once from the store. Options and messages belong in `cli`;
questions that people ask of the store belong in `store.queries`.
"""
