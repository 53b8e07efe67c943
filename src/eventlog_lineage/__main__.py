"""`python -m eventlog_lineage`, and the file that `spark-submit` is given (it runs it outside its package)."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the program; an interrupt while its modules are imported is one line, as later ones are."""
    try:
        from eventlog_lineage.cli.main import main as run  # noqa: PLC0415 - see above
    except KeyboardInterrupt:
        sys.exit("Error: interrupted")
    run()


if __name__ == "__main__":
    main()
