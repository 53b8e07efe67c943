"""Which snapshots of tables a plan text names: the numbers that differ from run to run of the same plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from eventlog_lineage.datasets import naming
from eventlog_lineage.plan.blocks import as_blocks
from eventlog_lineage.plan.column_marks import WORDS, column_marks
from eventlog_lineage.plan.explain_sections import Mode
from eventlog_lineage.plan.paimon_marks import PAIMON, paimon_marks

from .session_facts import session_marks, session_words

if TYPE_CHECKING:
    from eventlog_lineage.plan.plan_text import PlanText


class SnapshotMark(NamedTuple):
    """A table's snapshot as a plan text names it.

    Attributes:
        role: `state` for a state of the table that was loaded, `base` for what a command changes, `read` for what a
            scan reads, `batch` for a scan of a micro-batch (the progress tells what it read), `write` for a table that
            is written, `table` for one that a command names, `create` and `drop` for one that is made or dropped,
            `name` for what a place is called; `known` and `bare` are Paimon's (`paimon_marks`), `columns` says what
            columns a table has (`column_marks`); `typed` and `use` are the session's (`session_marks`).
        place: The table's location as a URI, or its name; `<catalog's class>|ns.table` where only the class is known,
            `paimon|ns.table` where not even that is printed; empty where Spark cut it.
        version: The snapshot, or with `name` the name; empty where the text does not say.
    """

    role: str
    place: str
    version: str = ""


_STATE = re.compile(
    r"\n\(\d+\) [^\n]*?Delta (?:Table State(?: with Stats)?|Source Snapshot) #(\d+) - ([^\n]*?)/_delta_log"
)
_BASE = re.compile(r"\bDelta\[version=(\d+), ([^\]\n]*)\]")
_FEED = re.compile(r"\bDeltaCDFRelation\(SnapshotWithSchemaMode\(Snapshot\(path=(.*?)/_delta_log, version=(\d+),")
_DELTA_TABLE = re.compile(
    r"\bDeltaTableV2\([\w.$]+(?:@\w+)?,(?P<place>[^,\n]+),"
    r"(?:Some\(CatalogTable\(\n(?:Catalog: (?P<catalog>.*)\n)?Database: (?P<database>.*)\nTable: (?P<table>.*)\n)?"
)
_DELTA_SAVE = re.compile(
    r"\bDeltaDataSource@\w+, \[(?:[^\]\n]*, )?path=(?P<place>[^,\]\n]+)[^\n]*, (?P<mode>Append|Overwrite|ErrorIfExists)"
)
_DELTA_DELETE = re.compile(r"\nArguments: org\.apache\.spark\.sql\.delta\.DeltaLog@\w+, (`[^\n]*?`), ")
_DEFINED = re.compile(
    r"\n\(\d+\) (?P<command>(?:Atomic)?(?:Create|Replace|Alter|Drop)Table\w*)\n(?:Input[^\n]*\n)?"
    r"Arguments: (?P<catalog>[\w$.]*\.delta\.[\w$.]+)(?:@\w+|\([\w-]+\)), (?P<table>[\w.]+)(?P<rest>[^\n]*)"
)
_SPEC = re.compile(r"\bTableSpec\(Map\([^\n]*?\),Some\(delta\),Map\([^\n]*?\),(?:None|Some\((?P<place>[^()\n]*)\)),")
_ICEBERG_READ = re.compile(
    r"\n\(\d+\) (\w+)[^\n]*\nOutput[^\n]*\n"
    r"Iceberg\w*Scan\(table=([^,\n]+),(?:[^\n]*?\b(?:snapshotId|endSnapshotId|toSnapshotId)=(\d+|null))?"
)
_ICEBERG_BATCH = re.compile(r"\n\(\d+\) MicroBatchScan[^\n]*\nOutput[^\n]*\n([\w.-]+) \(branch=")
_ICEBERG_WRITE = re.compile(r"\bIceberg(?:\w*Write)\(table=([^,)\n]+)")
_DELETE = "DeleteFromTable"
_ICEBERG_DELETE = re.compile(rf"\n\(\d+\) {_DELETE}\nArguments: ([\w.-]+), \[")
_ICEBERG_ROWS = re.compile(r"\n\(\d+\) BatchScan ([\w.-]+)\nOutput \[\d+\]: \[(?:[^\n]*, )?_file#\d+")


def read_marks(plan: PlanText) -> tuple[SnapshotMark, ...]:
    """Reads the snapshots that a plan text names.

    Sources: Delta's `Snapshot` and `DataSkippingReader` (3.x, 4.x) name the RDD of a table's state by its version,
    `TahoeFileIndex.toString` prints `Delta[version=5, file:/x]`; Iceberg's scans print ids from 1.11 on Spark 4.1 on.

    Args:
        plan: The plan text.

    Returns:
        The marks, each once; nothing for texts of other formats, at the cost of a few searches for words.
    """
    return each_once(marks_by_kind(plan, kinds()))


def marks_by_kind(plan: PlanText, of: Collection[str]) -> dict[str, list[SnapshotMark]]:
    """Reads marks of some kinds.

    Texts of one fingerprint have marks of the same kinds: only their numbers and hash codes are others.

    Args:
        plan: The plan text.
        of: Of `kinds`.

    Returns:
        What was found, by kind; a kind of which there is nothing is left out.
    """
    text, readers = plan.text, _readers()
    wanted = [kind for kind in of if any([word in text for word in readers[kind].words])]  # noqa: C419 - faster
    if not wanted:
        return {}
    parts = plan.sections
    if parts is not None and parts.mode is not Mode.FORMATTED:
        text = as_blocks(parts.physical)
    found: dict[str, list[SnapshotMark]] = {}
    for kind in wanted:
        if marks := readers[kind].read(text):
            found[kind] = marks
            if kind == _STATES:
                break  # a table format reads its own log
    return found


def each_once(found: Mapping[str, Collection[SnapshotMark]]) -> tuple[SnapshotMark, ...]:
    """The marks of all kinds, each once."""
    return tuple(dict.fromkeys(mark for marks in found.values() for mark in marks))


def _states(text: str) -> list[SnapshotMark]:
    return [SnapshotMark("state", _place(match[2]), match[1]) for match in _STATE.finditer(text)]


def _delta(text: str) -> list[SnapshotMark]:
    found = [SnapshotMark("base", _place(match[2]), match[1]) for match in _BASE.finditer(text)]
    found += [SnapshotMark("read", _place(match[1]), match[2]) for match in _FEED.finditer(text)]
    return found + _delta_writes(text)


def _delta_writes(text: str) -> list[SnapshotMark]:
    found = []
    for match in _DELTA_TABLE.finditer(text):
        place = _place(match["place"])
        found.append(SnapshotMark("table", place))
        if match["table"]:
            words = (match["catalog"] or naming.SESSION_CATALOG, match["database"], match["table"])
            found.append(SnapshotMark("name", place, ".".join(words)))
    for match in _DELTA_SAVE.finditer(text):
        role = "create" if match["mode"] == "ErrorIfExists" else "write"
        found.append(SnapshotMark(role, _place(match["place"]), "0" if role == "create" else ""))
    found += [SnapshotMark("write", f"|{naming.table_name(match[1])}") for match in _DELTA_DELETE.finditer(text)]
    return found + [_defined(match) for match in _DEFINED.finditer(text)]


def _defined(match: re.Match[str]) -> SnapshotMark:
    """DDL of a Delta table: a definition is a version of it."""
    spec = _SPEC.search(match["rest"])
    place = _place(spec["place"]) if spec and spec["place"] else f"{match['catalog']}|{match['table']}"
    if "Drop" in match["command"]:
        return SnapshotMark("drop", place)
    created = "Create" in match["command"] and spec is not None
    return SnapshotMark("create", place, "0") if created else SnapshotMark("write", place)


def _iceberg(text: str) -> list[SnapshotMark]:
    found = []
    for match in _ICEBERG_READ.finditer(text):
        role = "batch" if match[1] == "MicroBatchScan" else "read"
        version = match[3] if match[3] and match[3] != "null" and role == "read" else ""
        found.append(SnapshotMark(role, naming.table_name(match[2]), version))
    found += [SnapshotMark("batch", naming.table_name(match[1])) for match in _ICEBERG_BATCH.finditer(text)]
    for each in (_ICEBERG_WRITE, _ICEBERG_DELETE):
        found += [SnapshotMark("write", naming.table_name(match[1])) for match in each.finditer(text)]
    if "SparkPositionDeltaWrite" in text:
        found += [SnapshotMark("write", naming.table_name(match[1])) for match in _ICEBERG_ROWS.finditer(text)]
    return found


def _place(text: str) -> str:
    """A location as a URI; empty where it was cut at its left (`... /table`, `TahoeFileIndex`)."""
    return "" if text.startswith("...") or not text.strip() else naming.path_name(text)


def _as_marks(read: Callable[[str], list[tuple[str, str, str]]]) -> Callable[[str], list[SnapshotMark]]:
    def marks(text: str) -> list[SnapshotMark]:
        return [SnapshotMark(*each) for each in read(text)]

    return marks


class _Reader(NamedTuple):
    """How marks of a kind are read.

    Attributes:
        words: One of these stands in each text that has such marks.
        read: Gives them.
    """

    words: tuple[str, ...]
    read: Callable[[str], list[SnapshotMark]]


_STATES = "states"


@cache
def _readers() -> Mapping[str, _Reader]:
    return {
        _STATES: _Reader(("/_delta_log",), _states),
        "delta": _Reader(("Delta", ".delta."), _delta),
        "iceberg": _Reader(("Iceberg", "(branch=", _DELETE, "SparkPositionDeltaWrite"), _iceberg),
        "paimon": _Reader(PAIMON, _as_marks(paimon_marks)),
        "columns": _Reader(WORDS, _as_marks(column_marks)),
        "session": _Reader(session_words(), _as_marks(session_marks)),
    }


def kinds() -> tuple[str, ...]:
    """The kinds of marks: whose they are."""
    return tuple(_readers())
