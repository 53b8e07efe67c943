"""Find secrets after a name: `password=…`, `"token": "…"`, `--password …`, with their separators and ends.

Tokens that are recognized by their own form belong in `tokens`.
"""
