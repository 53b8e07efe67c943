"""The command `eventlog-lineage pack` as a script of a checkout."""

from __future__ import annotations

import sys

from eventlog_lineage.cli.main import run

if __name__ == "__main__":
    sys.exit(run(["pack", *sys.argv[1:]]))
