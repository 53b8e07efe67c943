"""Read tree strings, with one operator per line (`treeString`): extended, simple and cost text.

Lines are converted to the nodes and fields of formatted text.
"""
