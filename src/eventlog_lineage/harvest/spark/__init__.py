"""The Spark session of a harvest: its start, its Python workers, its scratch folder and their tuning."""
