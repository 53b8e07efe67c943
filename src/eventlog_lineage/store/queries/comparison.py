"""Compare two stores, two times of one store, or two runs; list what changed since a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from eventlog_lineage.errors import UnknownNameError, UsageError
from eventlog_lineage.store.queries import row_types
from eventlog_lineage.store.queries.open_store import check_dataset, check_job, check_name
from eventlog_lineage.store.schema.relations import sql_text

from .dependants import Changed, impact
from .open_store import Answer, OpenStore, with_error_lines
from .paths import trace


@dataclass(frozen=True, slots=True)
class State:
    """A store at a time.

    Attributes:
        at: The time, UTC without a zone; None for the present.
    """

    store: OpenStore
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different, and the dependants of what is different.

    Attributes:
        changes: kind (`dataset`, `column`, `edge`), change (`added`, `removed`, `type_changed`, `expression_changed`),
            dataset, column_name, old_value, new_value, depends (names of dependants; consumers as `user: job`).
        dependants: The columns of an impact, for what is removed, retyped or made in another way.
    """

    changes: Answer
    dependants: Answer
    changed: tuple[Changed, ...]


def compare(before: State, after: State) -> Difference:
    """Compare two states."""
    store = after.store
    _hold(store, "old_state", before)
    _hold(store, "new_state", after)
    differences = store.ask(sql_text("queries/differences"))
    changed = _changed(differences)
    found = _dependants(before, changed)
    names = _names_of(found)
    shown: list[tuple[object, ...]] = [
        (*row, names.get(f"{row[2]}.{row[3]}" if row[3] else str(row[2]), [])) for row in differences.rows
    ]
    fields = tuple(row_types.Difference.__annotations__)
    return Difference(Answer(fields, shown, (*differences.types, "VARCHAR[]")), found, tuple(changed))


def _hold(store: OpenStore, name: str, state: State) -> None:
    """Make a temporary table of a store's connection from a state of this store or of another one."""
    query, at = sql_text("queries/state"), {"at": state.at}
    if state.store is store:
        store.ask(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}", at)
    else:
        other = state.store.connection.sql(query, params=at).to_arrow_table()
        store.connection.register("other_state", other)
        store.ask(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM other_state")


def _changed(differences: Answer) -> list[Changed]:
    """Return what is removed, retyped or made in another way; a dataset includes its columns."""
    changed: dict[tuple[str, str], Changed] = {}
    for row in differences.records():
        dataset, column = str(row["dataset"]), str(row["column_name"] or "")
        if row["change"] != "added" and (dataset, "") not in changed:
            changed.setdefault((dataset, column), Changed("", str(row["change"]), dataset, column))
    return list(changed.values())


def _names_of(dependants: Answer) -> dict[str, list[str]]:
    """Return the names of what depends on each change; of consumers `user: jobs`."""
    names: dict[str, dict[str, None]] = {}
    for row in dependants.records():
        name = ".".join(str(part) for part in (row["dataset"], row["column_name"]) if part)
        jobs = row["jobs"] if isinstance(row["jobs"], list) else []
        name = name or f"{row['user_name'] or 'a query'}: {', '.join(map(str, jobs))}"
        names.setdefault(str(row["changed"]), {})[name] = None
    return {changed: list(found) for changed, found in names.items()}


def _dependants(state: State, changed: list[Changed]) -> Answer:
    """Return the dependants of changes, now and at the time of the state."""
    known = []
    for each in changed:
        with suppress(UnknownNameError):
            check_name(state.store, each.full_name)
            known.append(each)
    found = impact(state.store, known)
    if state.at is None:
        return found
    rows = list(found.rows)
    seen = {(row[0], row[3], row[4]) for row in rows}
    for row in chain.from_iterable(_past_dependants(state, each) for each in known):
        end = (row[0], row[3], row[4])
        if end not in seen:
            seen.add(end)
            rows.append(row)
    return Answer(found.names, rows, found.types)


def _past_dependants(state: State, changed: Changed) -> Iterator[tuple[object, ...]]:
    """Yield what depended on a change at the time of a state, as rows of `impact`."""
    for edge in trace(state.store, changed.full_name, up=False, at=state.at).records():
        end = (edge["target_dataset"], edge["target_column"])
        if end != (changed.dataset, changed.column or None):
            kinds = [edge["transformation"]] if edge["transformation"] else []
            kind = "column" if edge["target_column"] else "dataset"
            facts = (edge["depth"], edge["dependency"], kinds, edge["masked"], [edge["job_name"]])
            yield changed.full_name, changed.change, kind, *end, *facts, None, None, None, None, None, None, []


Row = dict[str, Any]

_FACTS = tuple(
    """
    started_at status error user_name app_name spark_version code_version seconds executor_seconds rows_written
    bytes_written files_written statement log_path app_id execution_id
    """.split()
)


def compare_runs(store: OpenStore, asked: str, *, failed: bool = False) -> Answer:
    """Compare the last run of a job with the last good run before it.

    Returns:
        what (`status`, `rows_written` …; `reads DATASET` and `writes DATASET` with rows, bytes and snapshot; `edge` for
        an edge that only one of them has), good_run, last_run, differs. None where the job has no such run.

    Raises:
        UsageError: The name is not a job of the store.
    """
    job = check_job(store, asked)
    asked_runs = store.ask(sql_text("queries/two_runs"), {"job": job, "failed": failed})
    runs = with_error_lines(asked_runs, "error").records()
    found = {row["place"]: row for row in runs}
    good, last = found.get(1), found.get(2)
    rows = [(name, good and good[name], last and last[name]) for name in _FACTS]
    rows += _uses(store, good, last)
    rows += _edges(store, good, last)
    values = [(what, _text(one), _text(other)) for what, one, other in rows]
    shown = [(what, one, other, one != other) for what, one, other in values if one is not None or other is not None]
    types = ("VARCHAR", "VARCHAR", "VARCHAR", "BOOLEAN")
    return Answer(tuple(row_types.Comparison.__annotations__), list(shown), types)


def _text(value: object) -> str | None:
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    return None if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _uses(store: OpenStore, good: Row | None, last: Row | None) -> Iterator[tuple[str, object, object]]:
    """Yield what each run read and wrote, with what the log counts."""
    query = sql_text("queries/uses_of_run")
    sides = []
    for run in (good, last):
        key = [run["app_id"], run["attempt_id"], run["execution_id"]] if run else None
        sides.append({str(what): str(facts or "yes") for what, facts in store.ask(query, key).rows} if key else {})
    for what in sorted({*sides[0], *sides[1]}):
        yield what, sides[0].get(what), sides[1].get(what)


def _edges(store: OpenStore, good: Row | None, last: Row | None) -> Iterator[tuple[str, object, object]]:
    """Yield the edges that only one of the runs has."""
    if not good or not last or good["lineage_fingerprint"] == last["lineage_fingerprint"]:
        return
    query = """
        SELECT DISTINCT concat_ws(' ', concat_ws('.', target_dataset, target_column), '<-',
                   coalesce(concat_ws('.', source_dataset, source_column), 'no column'), transformation, expression)
        FROM named_edges WHERE lineage_fingerprint = ? ORDER BY ALL
    """
    sides = [[str(edge) for (edge,) in store.ask(query, [run["lineage_fingerprint"]]).rows] for run in (good, last)]
    yield from (("edge", edge, None) for edge in sides[0] if edge not in sides[1])
    yield from (("edge", None, edge) for edge in sides[1] if edge not in sides[0])


_KINDS = frozenset(
    """
    schema lineage table_created table_replaced table_dropped table_renamed column_added column_dropped column_renamed
    column_moved type_changed schema_conflict edge_added edge_removed expression_changed
    """.split()
)
_WITHOUT_DEPENDANTS = frozenset({"column_added", "table_created"})


def changes(  # noqa: PLR0913 - what a question can ask for
    store: OpenStore,
    since: datetime | None,
    asked: str | None = None,
    *,
    until: datetime | None = None,
    kind: str | None = None,
    depends: bool = True,
) -> Answer:
    """Return the changes of schemas and lineage, the oldest first.

    Args:
        since: From this time on, UTC without a zone; None for all times.
        asked: The dataset, under the names that it had before, too; None for all datasets.
        until: Before this time; None for now.
        kind: `schema`, `lineage` or a change such as `column_dropped`; None for all.

    Returns:
        changed_at, kind (`schema`, `lineage`), dataset, change, column_name, old_value, new_value, nature, confidence,
        job_name, user_name, app_name, app_id, attempt_id, execution_id; with `depends`, for a change of a schema also
        `depends`, the columns and datasets downstream that were made of it at that time, and `next_runs`, the first run
        after it of every job that reads the dataset: job_name, started_at, status, error (None if there was none yet).

    Raises:
        UsageError: The kind is unknown.
    """
    _check_kinds([kind] if kind else (), _KINDS)
    dataset = check_dataset(store, asked) if asked is not None else None
    wanted = {"since": since, "until": until, "kind": kind, "dataset": dataset}
    found = store.ask(sql_text("queries/changes"), wanted)
    if not depends:
        return found
    if any(row["kind"] == "schema" and row["change"] not in _WITHOUT_DEPENDANTS for row in found.records()):
        store.connection.execute(sql_text("queries/held_edges"))
    rows: list[tuple[object, ...]] = []
    known: dict[tuple[object, ...], tuple[list[str], list[dict[str, object]]]] = {}
    for row in found.records():
        if row["kind"] != "schema":
            rows.append((*row.values(), None, None))
            continue
        key = (row["dataset"], _before(row), row["changed_at"], row["execution_id"], row["change"])
        if key not in known:
            known[key] = (_depends(store, row), _next_runs(store, row))
        rows.append((*row.values(), *known[key]))
    return Answer((*found.names, "depends", "next_runs"), rows)


BREAKING = frozenset({"column_dropped", "column_renamed", "table_dropped", "table_renamed", "type_changed"})
"""Changes that break what depends on a column or table."""


def failing(answer: Answer, levels: Sequence[str]) -> int:
    """Return how many changes make a check fail.

    Raises:
        UsageError: A level is unknown.
    """
    _check_kinds(levels, _KINDS | {"any", "breaking"})
    return sum(_fails(row, levels) for row in answer.records())


def _check_kinds(asked: Sequence[str], known: Collection[str]) -> None:
    for each in asked:
        if each not in known:
            raise UsageError(f"unknown kind of change {each!r}", hint=f"use one of {', '.join(sorted(known))}")


def _fails(row: Mapping[str, object], levels: Sequence[str]) -> bool:
    is_breaking = row["change"] in BREAKING and bool(row.get("depends"))
    return any(
        level in {"any", row["kind"], row["change"]} or (level == "breaking" and is_breaking) for level in levels
    )


def _before(row: dict[str, Any]) -> object:
    """Return the column's name before the change."""
    return row["old_value"] if row["change"] == "column_renamed" else row["column_name"]


def _depends(store: OpenStore, row: dict[str, Any]) -> list[str]:
    if row["change"] in _WITHOUT_DEPENDANTS:
        return []
    dataset = row["old_value"] if row["change"] == "table_renamed" else row["dataset"]
    asked = {"dataset": dataset, "column": _before(row), "at": row["changed_at"]}
    found = store.connection.execute(sql_text("queries/dependants"), asked).fetchall()
    return [f"{target}.{column}" if column else str(target) for target, column in found]


def _next_runs(store: OpenStore, row: dict[str, Any]) -> list[dict[str, object]]:
    asked = {
        "dataset": row["dataset"],
        "other": row["old_value"] if row["change"] == "table_renamed" else row["dataset"],
        "at": row["changed_at"],
        "app": row["app_id"],
        "attempt": row["attempt_id"],
        "execution": row["execution_id"],
    }
    return list(store.ask(sql_text("queries/next_runs"), asked).records())


def story(store: OpenStore, asked: str, since: datetime | None = None) -> Answer:
    """Return the history of a dataset, the oldest first, including its earlier names.

    Args:
        since: Leave out what is older, UTC without a zone; None for all of it.

    Returns:
        changed_at, kind (`version`, `schema`, `lineage`), dataset, version, change, column_name, old_value, new_value,
        evidence, confidence, job_name, app_id, attempt_id, execution_id.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    found = store.ask(sql_text("queries/history"), [check_dataset(store, asked)])
    if since is None:
        return found
    at = found.names.index("changed_at")
    return Answer(found.names, [row for row in found.rows if row[at] is not None and row[at] >= since], found.types)  # type: ignore[operator]
