"""Reads the hand-written truth of the medallion logs, with the SQL of the workloads or in `NAME.json`.

`tests/medallion_logs/README.md` describes its format.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventlog_lineage.datasets.naming import DEFAULT_LANDING_FILES, landing_folder
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

MEDALLION_LOGS = Path(__file__).resolve().parents[2] / "medallion_logs"
_BESIDES = ("helper: ", ":")
"""Names of statements that no workload records: what prepares it, and the name that Hudi leaves to a next write."""
_LANDING = re.compile(DEFAULT_LANDING_FILES)
_WORDS = re.compile(r"(?:`[^`]*`|[^\s`])+")
_RANGE = re.compile(r"^(.*)\{(\d+)\.\.(\d+)\}(.*)$")


@dataclass(frozen=True, slots=True)
class TrueStatement:
    """What is true of a statement.

    Attributes:
        name: Its job description, or the name of its streaming query.
        kind: `append`, `overwrite`, `create`, `merge`, `update`, `delete`, `alter`, `maintenance` or `read`.
        target: The full name of the dataset that it writes; None for a query.
        columns: Target column to the full names of its DIRECT sources, in the target's order.
        conditions: (kind, source) of INDIRECT edges that it has at least: (`FILTER`, `spark_catalog.silver.orders.id`).
    """

    name: str
    kind: str
    target: str | None
    columns: Mapping[str, frozenset[str]]
    conditions: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Medallion:
    """The truth about one log.

    Attributes:
        statements: In order.
        schema_changes: (table, change, column) of every change; None where nothing is claimed.
    """

    statements: tuple[TrueStatement, ...]
    schema_changes: frozenset[tuple[str, str, str]] | None


def load_medallion(log: str) -> Medallion:
    """Read the truth about a log.

    Args:
        log: `delta-3-5`: the truth's name and the Spark.
    """
    path = next((path for path in _truths() if log.startswith(f"{path.stem}-")), None)
    content = json.loads(path.read_text(encoding="utf-8")) if path else workloads().of_log(log).truth()
    names = {short: stored_name(name) for short, name in content["datasets"].items()}
    ran = _ran(log)
    statements = [
        each
        for each in content["statements"]
        if _is_in(each, log) and (ran is None or each["name"] in ran or each["name"].startswith(_BESIDES))
    ]
    changes = content.get("schema_changes")
    return Medallion(
        tuple(_statement(each, names) for each in statements),
        None
        if changes is None
        else frozenset(
            (_full(names, each["table"]), change, column)
            for each in changes
            if _is_in(each, log)
            for change, columns in each.items()
            if change not in {"table", "in"}
            for column in _expanded(columns)
        ),
    )


@cache
def workloads() -> ModuleType:
    """Return the reader of workloads, `scripts/lakehouse/loader.py`."""
    path = Path(__file__).resolve().parents[3] / "scripts" / "lakehouse" / "loader.py"
    spec = spec_from_file_location("lakehouse_loader", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault(spec.name, module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


def load_schemas(log: str) -> dict[str, list[TableSchema]]:
    """Read the schemas in the metadata of a log's tables, by table; none for logs without `NAME.schemas`."""
    path = MEDALLION_LOGS / f"{log}.schemas"
    found: dict[str, list[TableSchema]] = {}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines() if path.exists() else ()):
        columns = tuple(SchemaColumn(name, kind) for name, kind in row["columns"].items())
        schema = TableSchema(row["schema"], row["changed_at"], columns, tuple(row["comments"]))
        found.setdefault(row["table"], []).append(schema)
    return found


def stored_name(dataset: str) -> str:
    """Return a dataset as the store names it: landing files are their folder."""
    return landing_folder(dataset, _LANDING) or dataset


def _ran(log: str) -> set[str] | None:
    """The statements that the release did not refuse, as a workload's record of snapshots says; None without one."""
    record = MEDALLION_LOGS / f"{log}.snapshots"
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    rows = [each for each in map(json.loads, lines) if {"error", "after"} <= each.keys()]
    return {str(each["statement"]) for each in rows if not each["error"]} if rows else None


def _truths() -> list[Path]:
    """The truths, the longest names first: `delta_wide` before `delta`."""
    return sorted(MEDALLION_LOGS.glob("*.json"), key=lambda path: -len(path.stem))


def _is_in(item: Mapping[str, Any], log: str) -> bool:
    return "in" not in item or any(log.endswith(f"-{spark}") for spark in item["in"].split())


def _statement(item: Mapping[str, Any], names: Mapping[str, str]) -> TrueStatement:
    kind, _, target = item["writes"].partition(" ") if "writes" in item else ("read", "", "")
    columns = {
        column: frozenset(
            _source(names, source.replace("*", column)) for source in ([given] if isinstance(given, str) else given)
        )
        for key, given in item.get("columns", {}).items()
        for column in _expanded(key)
    }
    conditions = (each.split(" ", 1) for each in item.get("conditions", ()))
    return TrueStatement(
        item["name"],
        kind,
        _full(names, target) if target else None,
        columns,
        frozenset((kind, _source(names, source)) for kind, source in conditions),
    )


def _expanded(words: str) -> Iterator[str]:
    """Yield the columns of `id name c{1..60}`; names with spaces are quoted by backticks."""
    for quoted in _WORDS.findall(words):
        word = quoted.replace("`", "")
        match = _RANGE.match(word)
        if match is None:
            yield word
        else:
            yield from (f"{match[1]}{number}{match[4]}" for number in range(int(match[2]), int(match[3]) + 1))


def _source(names: Mapping[str, str], source: str) -> str:
    """Return the full name of `orders.addr.city`: the longest short name that it begins with is the dataset's."""
    short = max((name for name in names if source.startswith(f"{name}.")), key=len, default=None)
    if short is None:
        raise ValueError(f"no dataset of the truth in {source}")
    return f"{names[short]}{source.removeprefix(short)}".replace("`", "")


def _full(names: Mapping[str, str], name: str) -> str:
    return names[name]
