"""Read what operators print as values: names, lists, expressions, whatever their literals contain.

One operator or field at a time; trees of operators belong in `tree`.
"""
