"""What is different between two stores, or between two times of one, and what depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.errors import UnknownNameError
from eventlog_lineage.store.schema.sql_files import sql_text

from .dependants import Changed, impact
from .lookups import check_name, trace
from .open_store import Answer, OpenStore

Key = tuple[str, str, str, str]

_KINDS = ("dataset", "column", "edge")


@dataclass(frozen=True, slots=True)
class State:
    """A store at a time.

    Attributes:
        store: The store.
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
        changed: What they depend on.
    """

    changes: Answer
    dependants: Answer
    changed: tuple[Changed, ...]


def compare(before: State, after: State) -> Difference:
    """Compare two states.

    Args:
        before: The older one.
        after: The newer one.
    """
    old, new = _content(before), _content(after)
    rows = [row for kind in _KINDS for row in _changes(kind, old, new)]
    changed: list[Changed] = []
    for _, change, dataset, column, _, _ in rows:
        each = Changed("", change, dataset, column)
        known = {(other.dataset, other.column) for other in changed}
        if change != "added" and (dataset, column) not in known and (dataset, "") not in known:
            changed.append(each)
    found = _dependants(before, changed)
    names: dict[str, list[str]] = {}
    for row in found.records():
        columns = names.setdefault(str(row["changed"]), [])
        name = ".".join(str(part) for part in (row["dataset"], row["column_name"]) if part)
        jobs = row["jobs"] if isinstance(row["jobs"], list) else []
        name = name or f"{row['user_name'] or 'a query'}: {', '.join(map(str, jobs))}"
        if name not in columns:
            columns.append(name)
    shown = [
        (kind, change, dataset, column or None, was, now, names.get(f"{dataset}.{column}" if column else dataset, []))
        for kind, change, dataset, column, was, now in rows
    ]
    fields = ("kind", "change", "dataset", "column_name", "old_value", "new_value", "depends")
    types = ("VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR[]")
    return Difference(Answer(fields, list(shown), types), found, tuple(changed))


def _content(state: State) -> dict[str, dict[Key, str]]:
    """Return the rows of a state by kind: (dataset, column, source, transformation) to the type or expression."""
    found: dict[str, dict[Key, str]] = {kind: {} for kind in _KINDS}
    for kind, dataset, column, source, value in state.store.ask(sql_text("queries/state"), {"at": state.at}).rows:
        name, _, transformation = str(source or "").rpartition(" ")
        found[str(kind)][(str(dataset), str(column or ""), name, transformation)] = str(value or "")
    return found


def _changes(
    kind: str, old: Mapping[str, Mapping[Key, str]], new: Mapping[str, Mapping[Key, str]]
) -> list[tuple[str, str, str, str, str | None, str | None]]:
    """Return the differences of one kind: kind, change, dataset, column, old value, new value.

    Args:
        kind: What is compared: `dataset`, `column` or `edge`.
        old: The rows of each kind in the older state, by their key.
        new: The rows of each kind in the newer state.
    """
    rows: list[tuple[str, str, str, str, str | None, str | None]] = []
    before, after = old[kind], new[kind]
    listed = tuple({key[0] for key in each["column"]} for each in (old, new))
    for key in sorted({*before, *after}):
        dataset, column, source, transformation = key
        whole = (dataset, "", "", "")
        if kind != "dataset" and (whole in old["dataset"]) != (whole in new["dataset"]):
            continue  # it is in the dataset's own row
        if kind == "column" and not (dataset in listed[0] and dataset in listed[1]):
            continue  # one of the states has no evidence of its columns
        name = f"{source} ({transformation})" if source else None
        if key not in after:
            rows.append((kind, "removed", dataset, column, name or before[key] or None, None))
        elif key not in before:
            rows.append((kind, "added", dataset, column, None, name or after[key] or None))
        elif before[key] != after[key] and (kind == "edge" or (before[key] and after[key])):
            change = "expression_changed" if kind == "edge" else "type_changed"
            rows.append((kind, change, dataset, column, before[key], after[key]))
    return [*dict.fromkeys(rows)]


def _dependants(state: State, changed: list[Changed]) -> Answer:
    """Return the dependants of changes, now and at the time of the state.

    Args:
        state: The store, and the time that it is compared with.
        changed: The changed datasets and columns.
    """
    known = []
    for each in changed:
        try:
            check_name(state.store, each.full_name)
        except UnknownNameError:
            continue
        known.append(each)
    found = impact(state.store, known)
    if state.at is None:
        return found
    rows = list(found.rows)
    seen = {(row[0], row[3], row[4]) for row in rows}
    for each in known:
        for edge in trace(state.store, each.full_name, up=False, at=state.at).records():
            end = (each.full_name, edge["target_dataset"], edge["target_column"])
            if end in seen or end[1:] == (each.dataset, each.column or None):
                continue
            seen.add(end)
            kinds = [edge["transformation"]] if edge["transformation"] else []
            kind = "column" if edge["target_column"] else "dataset"
            facts = (edge["depth"], edge["dependency"], kinds, edge["masked"], [edge["job_name"]])
            rows.append((each.full_name, each.change, kind, *end[1:], *facts, None, None, None, None))
    return Answer(found.names, rows, found.types)
