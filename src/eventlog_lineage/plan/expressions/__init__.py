"""Parse expression text to tokens, values and types.

Operators and plans belong elsewhere; the only context here is the attributes that are in scope.
"""
