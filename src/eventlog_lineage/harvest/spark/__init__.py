"""The Spark session of a harvest: its start, its Python workers, its scratch folder and their tuning.

Nothing here knows what the job does; the job itself is in `harvest`.
"""
