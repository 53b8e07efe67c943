"""Whether a store is whole, what is damaged, and the way back to a whole version.

Nothing here changes a table: a version is verified by its manifest, and another one is made current.
"""
