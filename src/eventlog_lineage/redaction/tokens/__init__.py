"""Find tokens by the prefixes of their vendors, without a name before them.

The patterns come from a maintained list; `scripts/update_secret_rules.py` updates them. Do not edit them by hand.
"""
