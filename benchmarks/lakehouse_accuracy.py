"""Scores what the program resolves of the medallion logs against their hand-written truth.

Each table format has a truth, `tests/medallion_logs/NAME.json`, and a log per Spark next to it, `NAME-SPARK.zstd`.
`tests/medallion_logs/README.md` describes the truth's format. Each statement of the truth gets one verdict:

* `right`: target, kind and all columns with their DIRECT sources are as written down;
* `gap`: something is missing, and a gap of the statement says so; nothing is false;
* `silent`: something is missing and no gap says so;
* `wrong`: a target, a column or a source that the truth does not have.

Usage: `python benchmarks/lakehouse_accuracy.py [--verbose] [NAME …]`; without names all of them. A name with a Spark,
`delta-3-5`, scores one log. Fails if a statement is wrong or silent.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.lakehouse.medallions import MEDALLION_LOGS, load_medallion  # noqa: E402 - likewise
from support.lakehouse.score import score_log  # noqa: E402 - its folder is on the path only now

VERDICTS = ("right", "wrong", "gap", "silent")


def main(names: list[str], verbose: bool) -> int:
    """Prints a row per log, and the statements that are not right; returns the exit code."""
    logs = sorted(path.name.removesuffix(".zstd") for path in MEDALLION_LOGS.glob("*.zstd"))
    chosen = [log for log in logs if not names or any(log == name or log.startswith(f"{name}-") for name in names)]
    failed = False
    rows = []
    for log in chosen:
        truth = load_medallion(log)
        score = score_log(truth, log)
        count = Counter(each.verdict for each in score.statements)
        rows.append(f"| {log} | {len(score.statements)} | {' | '.join(str(count[each]) for each in VERDICTS)} |")
        rows[-1] += f" {len(score.false_changes)} | {len(score.missing_changes)} |"
        failed |= bool(count["wrong"] or count["silent"] or score.false_changes or score.unlisted)
        for each in score.statements:
            if each.verdict != "right":
                print(f"{log}: {each.verdict}: {each.name}")
                print(
                    "".join(f"    {line}\n" for line in (each.differences if verbose else each.differences[:6])), end=""
                )
        for title, lines in (
            ("writes that the truth does not list", score.unlisted),
            ("false schema changes", score.false_changes),
            ("missing schema changes", score.missing_changes),
        ):
            if lines:
                print(f"{log}: {title}")
                print("".join(f"    {line}\n" for line in lines), end="")
    print("\n| log | statements | right | wrong | gap | silent | false schema changes | missing schema changes |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main([each for each in sys.argv[1:] if each != "--verbose"], "--verbose" in sys.argv))
