"""Connectors to other systems: which tables a relation, the options of a save, or SQL sent to a database mean.

A connector is a declaration, `<name>.toml`; no module knows one by name, except JDBC's URLs. `identify` is the only
reader of what connectors print.
"""
