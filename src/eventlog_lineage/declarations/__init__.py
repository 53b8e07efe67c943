"""What no log prints and somebody declares: owners, descriptions, dashboards, tags, edges of other systems.

Reads TOML files, CSV files of edges and dbt's projects into `Declarations`. Names are as the files have them: the fold
finds the datasets of the store that they mean.
"""
