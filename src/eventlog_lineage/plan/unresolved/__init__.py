"""Plans that were logged before analysis: names instead of attribute ids.

The result is a plan as the analyzer would have printed it.
"""
