"""Read plan trees with one operator per line (`treeString`): extended, simple and cost text.

Lines become the same nodes and fields that formatted text has.
"""
