"""Changes over time: schema versions and their differences, changed lineage, and stable names of jobs.

Pure functions over observations in order of time. Observations come from `lineage.results`; where they are stored,
and which are recomputed, belongs in `store.fold`.
"""
