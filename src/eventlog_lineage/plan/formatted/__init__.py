"""Formatted explain text (`explainMode=formatted`, the default since Spark 3.0's SQL tab): outline, details, trees.

Expressions inside details belong in `expressions`.
"""
