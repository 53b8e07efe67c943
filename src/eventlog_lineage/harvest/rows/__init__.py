"""Rows of the harvest's tables, made of assembled logs and of traced statements.

Each module makes the rows of some tables by column name (`Table.row`). Reading logs and packing rows belong elsewhere.
"""
