"""From expression text to tokens, values and types.

Nothing here knows operators or plans, only the attributes that are in scope.
"""
