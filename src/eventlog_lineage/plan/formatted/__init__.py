"""Read formatted explain text (`explainMode=formatted`, the default since Spark 3.1): outline, details, trees.

Expressions inside details belong in `expressions`.
"""
