"""The Spark job; the only room that imports pyspark."""
