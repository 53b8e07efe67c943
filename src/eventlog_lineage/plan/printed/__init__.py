"""Split a plan text into operators and their printed fields, in every explain mode and for every engine.

What a field contains belongs in `grammar`.
"""
