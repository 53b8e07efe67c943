"""Makes tests/lineage/random_statements: random statements with their plan texts and what they are made of.

Usage: `python scripts/make_random_fixtures.py FOLDER formatted:s37 extended:s134 …`, FOLDER being one that
`benchmarks/random_statements.py --explain` has filled, and the names those of statements that were read wrong once.
Sources that no scan of the plan reads were removed by Spark's optimizer; the fixtures do not list them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from random_statements import traced, truths, without_removed  # noqa: E402

FIXTURES = ROOT / "tests" / "lineage" / "random_statements"


def main() -> None:
    """Writes the fixtures."""
    folder, wanted = Path(sys.argv[1]), set(sys.argv[2:])
    known = truths(folder / "statements.jsonl")
    version = folder.name.partition("-")[0]
    for name, variant, lineage, text in traced(folder):
        if f"{variant}:{name}" not in wanted:
            continue
        truth = without_removed(lineage, known[name][2], text)
        columns = [[column, {kind: sorted(of) for kind, of in kinds.items() if of}] for column, kinds in truth.columns]
        rows = {kind: sorted(of) for kind, of in truth.rows.items() if of}
        fixture = {"sql": known[name][0], "columns": columns, "rows": rows, "plan": text.split("\n")}
        path = FIXTURES / f"{version}-{variant}-{name}.json"
        path.write_text(json.dumps(fixture, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
