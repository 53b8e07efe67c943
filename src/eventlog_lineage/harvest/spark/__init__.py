"""Starting Spark: the session, its Python workers and its scratch folder."""
