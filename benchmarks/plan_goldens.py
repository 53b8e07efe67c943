"""Reads a folder of golden explain texts (Spark's plan-stability suites, Comet's, Gluten's) and counts what it finds.

For each project: how many texts parse, in how many every operator is known, in how many every attribute of the
root's output resolves to scans, literals or functions without inputs; the time a text takes. Native engines' plans are
compared with vanilla ones of the same query: Comet's with Spark's golden of the same name, Gluten's final plan with
its own initial one (its ids are blanked there, so attributes are told apart by name).

Usage: `python benchmarks/plan_goldens.py FOLDER`, the folder holding one folder per project.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.lineage.tracing.resolve_plan import resolve
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.plan.plan_text import read_plan

_BLANK = re.compile(r"(\w+|\))#X")
PADDED = re.compile(r"static_?invoke\(CharVarcharCodegenUtils\.\w+\((\w+#\d+), \d+\)\)", re.IGNORECASE)

DIRECT = {Transformation.IDENTITY, Transformation.TRANSFORMATION, Transformation.AGGREGATION}
Edges = tuple[tuple[str, frozenset[tuple[str, str]]], ...]


@dataclass
class Tally:
    """What was found in one project's texts."""

    texts: int = 0
    parsed: int = 0
    known: int = 0
    resolved: int = 0
    gaps: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    compared: int = 0
    equal: int = 0
    different: list[str] = field(default_factory=list)


def numbered(text: str) -> str:
    """Gluten's text with ids for attributes: one per name, the function's whole text where that is the name."""
    ids: dict[str, int] = {}
    done: list[str] = []
    at = 0
    for match in _BLANK.finditer(text):
        start = _opening(text, match.start()) if match[1] == ")" else match.start()
        name = text[start : match.end() - 2].replace("#X", "")
        done.append(f"{text[at : match.end() - 1]}{ids.setdefault(name, len(ids) + 1)}")
        at = match.end()
    return ("".join(done) + text[at:]).replace("id=#X", "id=#0")


def _opening(text: str, at: int) -> int:
    """Where the call begins whose closing bracket is at `at`."""
    depth = 0
    while at > 0:
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            break
        at -= 1
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return at


def final_only(text: str) -> str:
    """A text without its initial plan: the details of its operators belong to nobody then."""
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.endswith("== Initial Plan ==")), None)
    if start is None:
        return text
    end = next(at for at in range(start, len(lines)) if not lines[at])
    return "\n".join(lines[:start] + lines[end:])


def edges(flow: Flow, *, tables: bool = True) -> Edges:
    """Each output's name and DIRECT sources with their kind."""

    def word(dataset: str, column: str) -> str:
        return f"{dataset}.{column}".lower() if tables else column.lower()

    return tuple(
        (
            output.name,
            frozenset(
                (word(origin.dataset, origin.column), kind.value)
                for origin, kind in output.derivation.sources
                if kind in DIRECT
            ),
        )
        for output in flow.outputs
    )


def tally_text(tally: Tally, text: str) -> Flow | None:
    """Counts one text."""
    tally.texts += 1
    started = time.process_time()
    try:
        flow = resolve(read_plan(text)).flow
    except PlanSyntaxError as error:
        tally.gaps[str(error)] += 1
        return None
    tally.seconds.append(time.process_time() - started)
    tally.parsed += 1
    tally.gaps.update(f"{gap.reason.value}: {gap.operator}: {gap.detail}" for gap in flow.gaps)
    reasons = {gap.reason for gap in flow.gaps}
    tally.known += GapReason.UNKNOWN_OPERATOR not in reasons
    open_ones = any(not origin.dataset for output in flow.outputs for origin, _ in output.derivation.sources)
    tally.resolved += not open_ones and not reasons
    return flow


def compare(tally: Tally, name: str, ours: Flow | None, reference: Flow | None, *, tables: bool) -> None:
    """Counts whether two plans of one query have the same edges."""
    if ours is None or reference is None:
        return
    tally.compared += 1
    mine, theirs = edges(ours, tables=tables), edges(reference, tables=tables)
    if mine == theirs:
        tally.equal += 1
        return
    names = [left[0] for left, right in zip(mine, theirs, strict=False) if left != right]
    tally.different.append(f"{name}: {', '.join(names[:8]) or 'another number of columns'}")


def main(folder: Path) -> None:
    """Prints the counts."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    vanilla: dict[tuple[str, str], Flow | None] = {}
    comet: list[tuple[str, str, Flow | None]] = []
    for path in sorted(folder.rglob("*.txt")):
        project = path.relative_to(folder).parts[0]
        suite, query = re.sub(r"-spark\d_\d$", "", path.parent.parent.name), path.parent.name
        text = path.read_text()
        if "gluten" in project:
            text = numbered(text)
            initial = tally_text(tallies[project], text)
            final = tally_text(tallies[f"{project}, final plan alone"], final_only(text))
            compare(tallies[project], f"{suite}/{path.stem}", final, initial, tables=False)
            continue
        flow = tally_text(tallies[project], PADDED.sub(r"\1", text))
        if "comet" in project:
            comet.append((suite, query, flow))
        elif "3.5" in project and path.name == "explain.txt":
            vanilla[suite, query] = flow
    name = next((project for project in tallies if "comet" in project), "")
    for suite, query, flow in comet:
        compare(tallies[name], f"{suite}/{query}", flow, vanilla.get((suite, query)), tables=True)
    for project, tally in tallies.items():
        report(project, tally)


def report(project: str, tally: Tally) -> None:
    """Prints one project's counts."""
    median, slowest = statistics.median(tally.seconds) * 1000, max(tally.seconds) * 1000
    print(f"{project}: {tally.texts} texts, {tally.parsed} parse, {tally.known} without unknown operator,")
    print(f"  {tally.resolved} with every output resolved; median {median:.1f} ms, slowest {slowest:.0f} ms")
    for gap, count in tally.gaps.most_common(10):
        print(f"  {count} x {gap}")
    if tally.compared:
        print(f"  compared with the vanilla plan of the same query: {tally.compared}, equal {tally.equal}")
        for difference in tally.different:
            print(f"    {difference}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
