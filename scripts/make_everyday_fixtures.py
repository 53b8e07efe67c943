"""Makes tests/lineage/everyday_statements: everyday SQL with its lineage, written by hand, and its plan text.

Usage: `python scripts/make_everyday_fixtures.py FOLDER 'formatted:windows: tumbling window' …`, FOLDER being one that
`benchmarks/everyday_sql.py` has filled for one Spark and one mode (or, with `--expressions`, for both).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from everyday_sql import chosen, traced  # noqa: E402
from everyday_truth import Sources, Statement, expressions, load  # noqa: E402

FIXTURES = ROOT / "tests" / "lineage" / "everyday_statements"
WORDS = {"DIRECT": "", "CONDITIONAL": "IF ", "WINDOW": "WINDOW ", "SORT": "SORT "}


def listed(sources: Sources) -> str:
    """Sources as the truth's files write them."""
    names = [*sorted(sources.wanted), *(f"?{each}" for each in sorted(sources.optional))]
    return ", ".join(name.replace(",", "%2C") for name in names) or "-"


def described(statement: Statement) -> str:
    """A statement with its truth, as `everyday_truth.parse` reads it."""
    lines = [f"# {statement.name}", statement.sql]
    for name, kinds in statement.columns:
        parts = [f"{WORDS[kind]}{listed(sources)}" for kind, sources in sorted(kinds.items(), key=_direct_first)]
        lines.append(f"-> {name}: {'; '.join(parts)}")
    if statement.rows:
        rows = (f"{kind} {listed(sources)}" for kind, sources in statement.rows.items())
        lines.append(f"-> rows: {'; '.join(rows)}")
    if statement.target:
        lines.append(f"-> to: {statement.target}")
    return "\n".join(lines)


def _direct_first(item: tuple[str, Sources]) -> tuple[bool, str]:
    return item[0] != "DIRECT", item[0]


def main() -> None:
    """Writes the fixtures."""
    folder, wanted = Path(sys.argv[1]), set(sys.argv[2:])
    known = [
        *load(ROOT / "benchmarks" / "everyday"),
        *expressions(ROOT / "benchmarks" / "everyday" / "expressions.txt"),
    ]
    version, _, folder_mode = folder.name.partition("-")
    for mode, lineages in traced(folder).items():
        for statement in known:
            label = f"{mode or folder_mode}:{statement.name}"
            found = chosen(lineages.get(statement.name, []), statement)
            if label in wanted and found is not None:
                stem = re.sub("[^a-z0-9]+", "-", f"{version} {label}".lower()).strip("-")
                text = f"{described(statement)}\n\n==== Plan ====\n{found[1]}"
                (FIXTURES / f"{stem}.txt").write_text(text.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
