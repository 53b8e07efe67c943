"""Holds the lineage of DataFrame code and streams against a truth written by hand, on real Sparks.

    python benchmarks/dataframe_statements.py FOLDER 3.5=PYTHON 4.1=PYTHON 4.3=PYTHON

runs `scripts/dataframes` on each Spark in formatted and in extended text and compares each statement with
`tests/dataframe_logs/*.truth`. Printed are, per log, the statements that are exact, those with a gap, and those that
are silently wrong. A folder that has logs already is compared only; without Sparks the logs in tests/dataframe_logs
are. `--show` prints what is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
sys.path[:0] = [str(TESTS), str(HERE.parent / "scripts")]

import make_dataframe_logs  # noqa: E402
from support.lakehouse.statements import TracedLog  # noqa: E402
from support.sample_logs_truth import Statement, load_truth  # noqa: E402

LOGS = TESTS / "dataframe_logs"
MODES = ("formatted", "extended")


def truths() -> dict[str, list[Statement]]:
    """The statements of each log: `4.3-extended.zstd` to its truth."""
    found: dict[str, list[Statement]] = {}
    for path in sorted(LOGS.glob("*.truth")):
        for statement in load_truth(path):
            for name in statement.logs if statement.kind != "helper" else ():
                found.setdefault(name, []).append(statement)
    return found


def compare(log: TracedLog, statements: list[Statement], *, show: bool) -> Counter[str]:
    """Counts the statements of a log that are exact, that have a gap, and that are silently wrong or missing."""
    counts: Counter[str] = Counter(statements=len(statements))
    for statement in statements:
        wrong = log.wrong(statement)
        is_missing = any(each.startswith("0 statements") for each in wrong)
        has_gap = any(each.startswith("gap ") for each in wrong)
        word = "exact" if not wrong else "not run" if is_missing else "gap" if has_gap else "silently wrong"
        counts[word] += 1
        if wrong and show:
            print(f"--- {log.path.name} {statement.description}")
            print("\n".join(f"    {each}" for each in wrong))
    return counts


def main() -> None:
    """Runs what is not run yet, and compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", default=LOGS)
    parser.add_argument("sparks", nargs="*", metavar="VERSION=PYTHON")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    for argument in options.sparks:
        version, _, python = argument.partition("=")
        for mode in MODES:
            target = options.folder / f"{version}-{mode}.zstd"
            if not target.exists():
                root = (options.folder / f"{version}-{mode}").absolute()
                written = make_dataframe_logs.run_statements(python, mode, root)
                make_dataframe_logs.publish(written, root, target)
    total: Counter[str] = Counter()
    for name, statements in truths().items():
        if (options.folder / name).exists():
            counts = compare(TracedLog(options.folder / name), statements, show=options.show)
            print(f"{name}: {', '.join(f'{word} {count}' for word, count in counts.items())}", flush=True)
            total += counts
    print(f"total: {', '.join(f'{word} {count}' for word, count in total.items())}")


if __name__ == "__main__":
    main()
