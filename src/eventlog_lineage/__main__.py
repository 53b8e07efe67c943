"""`python -m eventlog_lineage`, and the file that `spark-submit` is given (it runs it outside its package)."""

from __future__ import annotations

from eventlog_lineage.cli.main import main

main()
