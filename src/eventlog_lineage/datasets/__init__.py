"""Names of datasets: tables, paths, topics, and where streams read and write.

The same table has one name, whatever a plan, a job or an offset prints. Which operator prints what belongs in
`operators`, what only one table format prints in `formats`.
"""
