"""What a column, a dataset or a job is: sentences, and the evidence for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from eventlog_lineage.store.queries import row_types
from eventlog_lineage.store.queries.open_store import Answer, OpenStore, Target, find_target, read_by, written_by
from eventlog_lineage.store.schema.relations import sql_text

from .open_store import with_error_lines
from .paths import trace

Row = dict[str, Any]

COLUMNS = tuple(row_types.Evidence.__annotations__)

SECTIONS = {
    "summary": "Summary",
    "step": "Derivation",
    "condition": "Conditions on the rows",
    "run": "Last runs",
    "version": "Schema versions",
    "change": "Changes",
    "gap": "Gaps",
}
"""The sections in their order, with their titles."""

_SURE = {
    "opaque": "At least one step is opaque, user code that Spark's plans do not show: see Derivation.",
    "inferred": "At least one step is inferred: see Derivation.",
    "exact": "The lineage is exact: Spark's plans show each step.",
}
"""Sentences by the least certain step."""
_RUNS = 3
_WHOLE = "all columns of "
_CONDITIONS = {"FILTER": "kept where", "JOIN": "joined by", "GROUP_BY": "grouped by", "SORT": "sorted by"}
_TEST = re.compile(r"\(?isnotnull\([^()]*\)\)?")
_TESTS = re.compile(r"isnotnull\([^()]*\) AND | AND isnotnull\([^()]*\)")
_DOUBLED = re.compile(r"\(\(([^()]*)\)\)")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a thing.

    Attributes:
        rows: The evidence, by section; the summary first. A row has values for some of `COLUMNS`.
    """

    target: Target
    rows: list[Row] = field(default_factory=list)

    @property
    def sentences(self) -> list[str]:
        """The summary."""
        return [str(row["text"]) for row in self.rows if row["section"] == "summary"]

    @property
    def answer(self) -> Answer:
        """All rows."""
        return Answer(COLUMNS, [tuple(row.get(name) for name in COLUMNS) for row in self.rows])


def why(store: OpenStore, asked: str, at: datetime | None = None) -> Evidence:
    """Return what a column, a dataset or a job is."""
    target = find_target(store, asked)
    if target.job:
        return _of_job(store, target, at)
    edges = list(trace(store, target.name, up=True, at=at).records())
    direct = _direct_steps(_column_edges(store, target, at))
    runs = _runs(store, [target.dataset, *(step["target_dataset"] for step in direct)], at)
    found = Evidence(target)
    rows = [
        *_steps(direct, runs),
        *_conditions([*_own_edges(store, target, at), *edges]),
        *(_run_row(run) for run in runs if run["dataset"] == target.dataset),
        *_versions(store, target, at),
        *_changes(store, target, at),
        *_gaps(store, runs, target),
    ]
    sentences = _sentences(store, target, _Facts(edges, direct, runs, rows, at))
    found.rows.extend({"section": "summary", "text": text} for text in sentences)
    order = list(SECTIONS)
    found.rows.extend(sorted(rows, key=lambda row: order.index(row["section"])))
    return found


@dataclass(frozen=True, slots=True)
class _Facts:
    """What sentences are made of.

    Attributes:
        direct: (target, sources) of the values, the nearest first.
        runs: The last runs of what writes the datasets on the way.
        at: The time; None for now.
    """

    edges: list[Row]
    direct: list[Row]
    runs: list[Row]
    rows: list[Row]
    at: datetime | None


def _column_edges(store: OpenStore, target: Target, at: datetime | None) -> list[Row]:
    """Return the edges of values upstream; those onto the target itself also where they have no source."""
    own = list(_own_edges(store, target, at))
    if not target.column:
        return [edge for edge in own if edge["target_column"] is not None]
    found = list(trace(store, target.name, up=True, direct_only=True, at=at).records())
    known = {(edge["target_dataset"], edge["target_column"]) for edge in found}
    made = [edge for edge in own if edge["source_dataset"] is None and edge["target_column"] is not None]
    return [*found, *(edge for edge in made if (edge["target_dataset"], edge["target_column"]) not in known)]


def _own_edges(store: OpenStore, target: Target, at: datetime | None) -> Iterator[Row]:
    """Yield the edges onto the target: those of its columns, and those of the whole dataset."""
    query = f"""
        SELECT 1 AS depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation,
               masking, expression, confidence, job_name, masking AS masked
        FROM {"lineage_at(CAST(? AS TIMESTAMP))" if at else "column_lineage"}
        WHERE target_dataset = ? AND (target_column IS NULL OR ? = '' OR lower(target_column) = lower(?))
              {"" if at else "AND is_current"}
        ORDER BY target_ordinal NULLS LAST, transformation, source_dataset, source_column
    """
    return store.ask(query, [*([at] if at else []), target.dataset, target.column, target.column]).records()


def _direct_steps(edges: Iterable[Row]) -> list[Row]:
    """Return one row for each derived column and job: its sources, expression, depth and certainty."""
    steps: dict[tuple[object, ...], Row] = {}
    for edge in edges:
        if edge["target_column"] is None or edge["dependency"] == "INDIRECT":
            continue
        key = (edge["target_dataset"], edge["target_column"], edge["job_name"], edge["expression"])
        step = steps.setdefault(key, {**edge, "sources": [], "kinds": []})
        step["masked"] = step["masked"] and edge["masked"]
        if edge["source_dataset"] is not None:
            step["sources"].append(_source(edge))
            step["kinds"].append(edge["transformation"])
    return sorted(steps.values(), key=lambda step: step["depth"])


def _source(edge: Row) -> str:
    """Return the source of an edge; rows of an RDD come from all columns of a dataset."""
    column = edge["source_column"]
    return f"{_WHOLE}{edge['source_dataset']}" if column is None else f"{edge['source_dataset']}.{column}"


def _runs(store: OpenStore, datasets: Sequence[str], at: datetime | None) -> list[Row]:
    asked = {"datasets": list(dict.fromkeys(datasets)), "most": _RUNS, "until": at}
    return list(with_error_lines(store.ask(sql_text("queries/writing_runs"), asked), "error").records())


def _steps(steps: Iterable[Row], runs: Sequence[Row]) -> Iterator[Row]:
    for step in steps:
        name = f"{step['target_dataset']}.{step['target_column']}"
        own = (step["target_dataset"], step["job_name"], "succeeded")
        run = next((each for each in runs if (each["dataset"], each["job_name"], each["status"]) == own), None)
        yield {
            **(_run_facts(run) if run else {}),
            "section": "step",
            "text": f"{name} {_made(step)}",
            "dataset": step["target_dataset"],
            "column_name": step["target_column"],
            "expression": step["expression"],
            "job_name": step["job_name"],
            "confidence": step["confidence"],
        }


def _run_facts(run: Row) -> Row:
    return {name: run[name] for name in COLUMNS if name in run} | {"happened_at": run["started_at"]}


def _run_row(run: Row) -> Row:
    rows = f" {run['rows_written']:,} rows" if run["rows_written"] is not None else ""
    text = f"{run['job_name']}: {run['mode']}{rows}, {run['status']}"
    return {**_run_facts(run), "section": "run", "text": f"{text}: {run['error']}" if run["error"] else text}


def _made(step: Mapping[str, Any]) -> str:
    """Return how a column is made, as the end of a sentence."""
    sources, kinds = step["sources"], set(step["kinds"])
    listed = words(sources)
    if not sources:
        return f"has no source column: {step['expression']}"
    if kinds == {"IDENTITY"}:
        return f"is a copy of {listed}" if len(sources) == 1 else f"has the value of {words(sources, 'or')}"
    if "AGGREGATION" in kinds:
        return f"aggregates {listed}: {step['expression']}"
    return f"is computed from {listed}{': ' if step['expression'] else ''}{step['expression'] or ''}"


def words(items: Sequence[object], last: str = "and") -> str:
    """Return items as a list in a sentence.

    >>> words(["a", "b", "c"])
    'a, b and c'
    """
    texts = list(dict.fromkeys(map(str, items)))
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}" if len(texts) > 1 else "".join(texts)


def _conditions(edges: Iterable[Row]) -> Iterator[Row]:
    """Yield each condition on the rows of a dataset on the way, once."""
    seen = set()
    for edge in edges:
        kind, expression = _CONDITIONS.get(str(edge["transformation"])), readable(edge["expression"] or "")
        key = (edge["target_dataset"], edge["transformation"], edge["expression"], edge["job_name"])
        if kind is None or edge["target_column"] is not None or key in seen or not expression:
            continue
        seen.add(key)
        yield {
            "section": "condition",
            "text": f"{edge['target_dataset']}: rows {kind} {expression}",
            "dataset": edge["target_dataset"],
            "expression": edge["expression"],
            "job_name": edge["job_name"],
            "confidence": edge["confidence"],
            "kind": edge["transformation"],
        }


def readable(condition: str) -> str:
    """Return a condition without the tests for NULL that Spark adds; empty if it is one.

    >>> readable("((isnotnull(a.x) AND (a.x = paid)) AND isnotnull(a.y))")
    '(a.x = paid)'
    """
    before = ""
    while before != condition:
        before = condition
        condition = _TESTS.sub("", condition)
        condition = _DOUBLED.sub(r"(\1)", condition)
    return "" if _TEST.fullmatch(condition) else condition


def _versions(store: OpenStore, target: Target, at: datetime | None) -> Iterator[Row]:
    query = sql_text("queries/versions_of_dataset")
    for version, valid_from, columns, kind in store.ask(query, [target.column, target.dataset, at, at]).rows:
        shown = f"{target.column} {kind or 'of unknown type'}" if target.column else columns
        yield {
            "section": "version",
            "text": f"version {version}: {shown}",
            "dataset": target.dataset,
            "column_name": target.column or None,
            "happened_at": valid_from,
            "type": kind,
        }


def _changes(store: OpenStore, target: Target, at: datetime | None) -> Iterator[Row]:
    query = sql_text("queries/changes_of_dataset")
    asked = {"dataset": target.dataset, "column": target.column, "at": at}
    for row in store.ask(query, asked).records():
        values = " → ".join(str(row[name]) for name in ("old_value", "new_value") if row[name])
        what = " ".join(str(part) for part in (row["change"], row["column_name"]) if part).replace("_", " ", 1)
        yield {
            **{name: row[name] for name in COLUMNS if name in row},
            "section": "change",
            "text": f"{what}: {values}" if values else what,
            "happened_at": row["changed_at"],
        }


def _gaps(store: OpenStore, runs: Sequence[Row], target: Target) -> Iterator[Row]:
    last = [run for run in runs if run["dataset"] == target.dataset][:1]
    query = (
        "SELECT reason, detail, hint FROM gaps WHERE app_id = ? AND attempt_id = ? AND execution_id = ? ORDER BY ALL"
    )
    for run in last:
        for reason, detail, hint in store.ask(query, [run["app_id"], run["attempt_id"], run["execution_id"]]).rows:
            yield {**_run_facts(run), "section": "gap", "text": f"{reason}: {detail}; {hint}"}


def _sentences(store: OpenStore, target: Target, facts: _Facts) -> Iterator[str]:
    yield from _identity(store, target, facts)
    yield from _row_sentences(target, facts.rows)
    yield from _origins(target, facts)
    yield from _certainty(target, facts)
    yield from _writers(target, facts.runs)
    yield from _last_change(facts)


def _identity(store: OpenStore, target: Target, facts: _Facts) -> Iterator[str]:
    if not target.column:
        yield _dataset_sentence(store, target, facts)
        return
    yield f"{target.column} is a column {_of_type(facts.rows)}of {target.dataset}."
    own = [step for step in facts.direct if step["depth"] == 1 and step["target_dataset"] == target.dataset]
    for step in own:
        by = f" (job {step['job_name']})" if len(own) > 1 else ""
        yield f"It {_made(step)}{by}."
    yield from _choice(facts)
    if not own:
        yield "No job in the store makes it."


def _of_type(rows: Iterable[Row]) -> str:
    kinds = (row["type"] for row in rows if row["section"] == "version" and row.get("type"))
    return next((f"of type {kind} " for kind in kinds), "")


def _choice(facts: _Facts) -> Iterator[str]:
    chosen = [
        f"{edge['source_dataset']}.{edge['source_column']}"
        for edge in facts.edges
        if edge["depth"] == 1 and edge["transformation"] in {"CONDITIONAL", "WINDOW"} and edge["target_column"]
    ]
    if chosen:
        yield f"Which value it has depends on {words(chosen)}."


def _dataset_sentence(store: OpenStore, target: Target, facts: _Facts) -> str:
    query = "SELECT kind, format, location FROM datasets WHERE dataset = ?"
    kind, form, location = next(iter(store.ask(query, [target.dataset]).rows), ("dataset", "", ""))
    sources = sorted({str(edge["source_dataset"]) for edge in facts.edges if edge["depth"] == 1} - {target.dataset})
    made = f", made of {words(sources)}" if sources else ""
    at = f" at {location}" if location else ""
    article = "an" if str(form or kind)[:1] in "aeiou" else "a"
    named = " ".join(str(part).replace("_", " ") for part in (form, kind) if part)
    return f"{target.dataset} is {article} {named}{at}{made}."


def _row_sentences(target: Target, rows: Iterable[Row]) -> Iterator[str]:
    """Yield the conditions on the dataset's rows; those of each job, if several make its values."""
    own = [row for row in rows if row.get("dataset") == target.dataset and row["section"] in {"step", "condition"}]
    is_one = len({row["job_name"] for row in own}) == 1
    for kind, begin in _OF_ROWS.items():
        for job, texts in _by_job(row for row in own if row.get("kind") == kind):
            yield f"{begin} {words(texts)}{'' if is_one else f' (job {job})'}."


def _by_job(conditions: Iterable[Row]) -> Iterable[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for row in conditions:
        found.setdefault(row["job_name"], []).append(readable(row["expression"]))
    return found.items()


_OF_ROWS = {
    "FILTER": "Only rows count for which",
    "JOIN": "Rows are joined by",
    "GROUP_BY": "There is one row for each",
}
"""How the sentence about conditions begins, by their kind."""


def _origins(target: Target, facts: _Facts) -> Iterator[str]:
    made = {f"{step['target_dataset']}.{step['target_column']}" for step in facts.direct}
    made |= {f"{_WHOLE}{step['target_dataset']}" for step in facts.direct}
    first = {source for step in facts.direct for source in step["sources"] if source not in made}
    depth = max((step["depth"] for step in facts.direct), default=0)
    if target.column and depth > 1 and first:
        yield f"Over {depth} steps its values come from {words(sorted(first))}."


def _masking(made: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    deepest = max((step["depth"] for step in made), default=None)
    farthest = [step["masked"] for step in made if step["depth"] == deepest]
    if farthest:
        yield "A mask, a hash or a count is applied on every path." if all(farthest) else "Its values are not masked."


def _certainty(target: Target, facts: _Facts) -> Iterator[str]:
    if target.column:
        yield from _masking([step for step in facts.direct if step["sources"]])
    levels = {step["confidence"] for step in facts.direct}
    yield from [sentence for level, sentence in _SURE.items() if level in levels][:1]
    gaps = sum(row["section"] == "gap" for row in facts.rows)
    if gaps:
        yield f"In the last run {gaps} {'thing' if gaps == 1 else 'things'} could not be resolved: see Gaps."


def _writers(target: Target, runs: Iterable[Row]) -> Iterator[str]:
    jobs: dict[str, Row] = {}
    for run in runs:
        if run["dataset"] == target.dataset:
            jobs.setdefault(str(run["job_name"]), run)
    for job, run in jobs.items():
        times = "once" if run["runs"] == 1 else f"{run['runs']:,} times"
        user = f" by {run['user_name']}" if run["user_name"] else ""
        rows = f", {run['rows_written']:,} rows" if run["rows_written"] is not None else ""
        when = f"{run['started_at']:%Y-%m-%d %H:%M:%S} UTC" if run["started_at"] else "an unknown time"
        what = f"The job {job} wrote {target.dataset} {times} ({run['mode']})"
        yield f"{what}, last at {when}{user}: {run['status']}{rows}."


def _last_change(facts: _Facts) -> Iterator[str]:
    change = next((row for row in facts.rows if row["section"] == "change"), None)
    if change is None or change["happened_at"] is None:
        return
    user = f" by {change['user_name']}" if change.get("user_name") else ""
    app = f" with {change['app_name']}" if change.get("app_name") else ""
    yield f"The last change was at {change['happened_at']:%Y-%m-%d %H:%M:%S} UTC{user}{app}: {change['text']}."


def _of_job(store: OpenStore, target: Target, at: datetime | None) -> Evidence:
    targets = written_by(store, target.job)
    runs = [run for run in _runs(store, targets, at) if run["job_name"] == target.job]
    sources = read_by(store, target.job)
    found = Evidence(target)
    sentences = [f"{target.job} is a job."]
    sentences += [f"It reads {words(sources)}."] if sources else []
    sentences += [f"It writes {words(targets)}."] if targets else ["It writes nothing."]
    for dataset in targets:
        sentences += _writers(Target(dataset=dataset), runs)
    found.rows.extend({"section": "summary", "text": text} for text in sentences)
    found.rows.extend(_run_row(run) for run in runs)
    return found
