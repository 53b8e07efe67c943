"""`python -m eventlog_lineage`."""

from __future__ import annotations

from .cli.main import main

main()
