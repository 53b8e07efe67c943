"""Resolve plans that are logged before analysis, with names instead of attribute ids.

The result is a plan in the form of analyzed plans.
"""
