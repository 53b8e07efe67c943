"""Turn a traced statement into its lineage: edges, dataset reads and writes, schema observations, gaps, text.

Values only; `harvest` builds the rows of the store.
"""
