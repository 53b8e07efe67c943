"""From a traced statement to its lineage: edges, dataset reads and writes, schema observations, gaps, text.

Values only; the rows of the store are made in `harvest.rows`.
"""
