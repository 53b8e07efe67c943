"""Kill harvests at random moments while others read the store; it must be as it was, or complete.

    python scripts/attack/kills.py [--kills 200] [--seed 7]

Runs `tests/harvest/test_killed_at_random.py`, of which CI runs only some kills: all processes of a harvest, its
driver, its JVM or one of its Python workers get KILL, TERM or INT at a random moment of a random step, on what the
kills before left. After each, the store must be that of the night before or the whole new one, in DuckDB and in
Parquet; another process reads all tables meanwhile and must see nothing else; now and then the next harvest must
finish the work. Takes about eight seconds of two processors a kill.
"""

from __future__ import annotations

import os
import subprocess
import sys

from attack import ROOT, options


def main() -> int:
    """Run the test; return its exit code."""
    given = options(__doc__, kills=200, seed=7)
    test = [sys.executable, "-m", "pytest", "-q", "-s", "tests/harvest/test_killed_at_random.py"]
    environment = os.environ | {"KILLS": str(given.kills), "KILLS_SEED": str(given.seed)}
    return subprocess.run(test, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
