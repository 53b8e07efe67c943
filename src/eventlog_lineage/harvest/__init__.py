"""The harvest: reads event logs with Spark and hands their rows to the store.

The only package that imports pyspark. What a log or a plan means is decided in the packages below; how rows are merged
is decided in `store`.
"""
