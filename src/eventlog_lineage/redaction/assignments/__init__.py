"""Secrets after a name: `password=…`, `"token": "…"`, `--password …`; the separators, and where the value ends.

Names of secrets are listed here. Tokens that show by themselves what they are belong in `tokens`.
"""
