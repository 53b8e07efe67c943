"""What a column is derived from: expressions analysed into references, and derivations combined.

Operators' rules use this package; nothing here knows an operator.
"""
