"""The stores that users have: each release's opens, answers as before, and is harvested on.

`scripts/make_released_store.py` made the folders; the answers are those of the release itself.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import tarfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import zstandard
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.store.queries import comparison, inventory, paths
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.tables import COLUMN_LINEAGE

RELEASES = sorted((Path(__file__).resolve().parents[2] / "store" / "released").iterdir())
MODIFIED_AT = 1_795_000_000
OPTIONS = HarvestOptions(redact=(r"^/.*(?=/logs/)",))

Answers = dict[str, tuple[list[str], list[list[object]]]]
Differences = dict[str, dict[str, list[list[object]]]]


@pytest.fixture(params=RELEASES, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture
def store(release: Path, tmp_path: Path) -> Iterator[Path]:
    """The release's store, next to the logs that it holds."""
    packed = zstandard.ZstdDecompressor().decompress((release / "store.tar.zst").read_bytes(), 1 << 28)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:  # our own archive: the filters of tarfile are not in every Python 3.10
            archive.extract(member, tmp_path)
    add_logs(release / "logs" / "first", tmp_path)
    yield tmp_path / "store"
    shutil.rmtree(tmp_path)


def add_logs(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder / "logs", dirs_exist_ok=True)
    for status in folder.glob("logs/*/appstatus_*"):
        status.with_name(f"{status.name}.inprogress").unlink(missing_ok=True)
    for file in folder.glob("logs/**/*"):
        os.utime(file, (MODIFIED_AT, MODIFIED_AT))


def harvested(store: Path) -> HarvestResult:
    return harvest([str(store.parent / "logs")], store, OPTIONS)


def expected(release: Path, night: str) -> Answers:
    tables = json.loads((release / "answers.json").read_text(encoding="utf-8"))[night]
    return {table: (found["columns"], found["rows"]) for table, found in tables.items()}


NEW_NAMES = {
    "kafka: stream: files": "kafka: stream: files: clicks",
    "kafka: stream: named": "kafka: stream: named: other",
    "kafka: stream: sent": "kafka: stream: sent: words",
    "nightly-shop: note orders": "nightly-shop: note orders: notes",
}
"""Jobs of 0.2 whose descriptions do not name their targets: the first harvest renames their runs."""

INFERRED_TESTS = {"isnotnull(notes.order_id)", "isnotnull(orders.order_id)"}
"""Filters of 0.2 that the optimizer had added for a join: a log that is read today shows none."""

INFERRED_TYPES = {
    ("file:///tmp/lakehouse_shop/lake/clicks", "word"): "string",
    ("kafka://localhost:19092/clicks", "value"): "string",
    ("kafka://localhost:19092/words", "value"): "string",
    ("spark_catalog.shop.clicked", "amount"): "string",
}
"""Types of columns that 0.2 did not know: those of the functions that make them."""
LISTED = "kafka://unknown/clicks"


def renamed(found: Answers) -> Answers:
    """Replace the names of jobs by those of today."""
    return {
        table: (columns, [[NEW_NAMES.get(str(cell), cell) for cell in row] for row in rows])
        for table, (columns, rows) in found.items()
    }


def without_inferred_tests(found: Answers) -> Answers:
    """Leave out the edges of the tests that today's program knows to be the optimizer's."""
    columns, rows = found["column_lineage"]
    expression = columns.index("expression")
    kept = [row for row in rows if row[expression] not in INFERRED_TESTS]
    assert len(kept) < len(rows)
    return {**found, "column_lineage": (columns, kept)}


def with_inferred_types(found: Answers) -> Answers:
    """Give columns whose types 0.2 did not know those of today."""
    columns, rows = found["schema_versions"]
    dataset, column, kind = (columns.index(name) for name in ("dataset", "column_name", "data_type"))
    typed = [
        [
            INFERRED_TYPES.get((str(row[dataset]), str(row[column])), "") if at == kind and not cell else cell
            for at, cell in enumerate(row)
        ]
        for row in rows
    ]
    return {**found, "schema_versions": (columns, typed)}


def with_listed_columns(found: Answers) -> Answers:
    """Let the columns of a topic come from the relation in a logical tree, which 0.2 did not read, not from reads."""
    columns, rows = found["schema_versions"]
    listed = [["relation" if row[0] == LISTED and cell == "read" else cell for cell in row] for row in rows]
    assert listed != rows
    return {**found, "schema_versions": (columns, listed)}


def read_today(found: Answers) -> Answers:
    """Return what a store has once its logs are read again."""
    return with_listed_columns(with_inferred_types(without_inferred_tests(found)))


def answers(store: Path, like: Answers) -> Answers:
    """What the store has in the tables and columns of other answers."""
    found: Answers = {}
    with open_store(store) as opened:  # the views of a store that was moved name its old folder
        for table, (columns, _) in like.items():
            quoted = ", ".join(f'"{column}"' for column in columns)
            rows = opened.ask(f"SELECT {quoted} FROM {table} ORDER BY ALL").rows
            found[table] = (columns, [[*map(plain, row)] for row in rows])
    return found


def by_statements(found: Answers) -> Answers:
    """Replace the name of a lineage by the statements that share it, and leave out ids and the conditions of joins.

    0.3 makes ids otherwise, and a condition of both columns, `(a.key = b.key)`, instead of one for each. A masked path
    of a log that 0.2 did not read ends in a digest.
    """
    columns, rows = found["executions"]
    places = [columns.index(name) for name in ("app_id", "attempt_id", "execution_id")]
    statements: dict[object, list[str]] = {}
    for row in rows:
        name = row[columns.index("lineage_fingerprint")]
        statements.setdefault(name, []).append("/".join(str(row[place]) for place in places))
    named: Answers = {}
    for table, (names, listed) in found.items():
        kept = [place for place, name in enumerate(names) if name not in {"lineage_id", "traced_at"}]
        joins = {names.index(name) for name in ("expression", "pattern") if "transformation" in names and name in names}
        kind = names.index("transformation") if joins else 0
        replaced = [
            [
                None
                if place in joins and row[kind] == "JOIN"
                else statements.get(row[place], without_digest(row[place]))
                for place in kept
            ]
            for row in listed
        ]
        if table == "lineages":  # those of 0.2 stay, by other names
            named_by = [row for row in replaced if isinstance(row[0], list)]
            replaced = [row for at, row in enumerate(named_by) if row not in named_by[:at]]
        named[table] = ([names[place] for place in kept], sorted(replaced, key=str))
    return named


def without_digest(value: object) -> object:
    return re.sub(r"^(\*\*\*/logs/.*)~[0-9a-f]{6}$", r"\1", value) if isinstance(value, str) else value


def differences(now: Answers, before: Answers) -> Differences:
    """Return, for each table that differs, the rows that are gone and the rows that are new."""
    found: Differences = {}
    for table, (_, rows) in before.items():
        gone, new = without(rows, now[table][1]), without(now[table][1], rows)
        if gone or new:
            found[table] = {"gone": gone, "new": new}
        assert len(now[table][1]) - len(rows) == len(new) - len(gone), table
    return found


def without(rows: list[list[object]], others: list[list[object]]) -> list[list[object]]:
    """Return the rows that the others do not have as often."""
    left, found = list(others), []
    for row in rows:
        if row in left:
            left.remove(row)
        else:
            found.append(row)
    return sorted(found, key=str)


def plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def test_a_released_store_opens_and_answers_as_before(release: Path, store: Path) -> None:
    before = expected(release, "first")
    assert answers(store, before) == before
    columns, rows = before["table_lineage"]
    pairs = {(row[columns.index("source_dataset")], row[columns.index("target_dataset")]) for row in rows}
    with open_store(store) as opened:
        for source, target in pairs:
            upstream = opened.ask("SELECT DISTINCT source_dataset FROM upstream(?)", [target]).rows
            assert (source,) in upstream


def test_a_query_of_a_released_store_shows_the_declared_columns(store: Path) -> None:
    with open_store(store) as opened:
        names = opened.ask_freely("FROM column_lineage LIMIT 1").names
        numbers = opened.ask_freely("SELECT rowid, source_dataset FROM column_lineage LIMIT 1").names
    assert names == COLUMN_LINEAGE.column_names
    assert numbers == ("rowid", "source_dataset")


def test_every_query_answers_on_a_released_store(release: Path, store: Path) -> None:
    before = expected(release, "first")
    with open_store(store) as opened:
        found = comparison.changes(opened, datetime(2000, 1, 1))
        created = comparison.changes(opened, datetime(2000, 1, 1), kind="table_created")  # in the first harvest
        listed = len(found.rows) + len(created.rows)
        assert listed == len(before["schema_changes"][1]) + len(before["lineage_changes"][1])
        assert "table_created" not in {row["change"] for row in found.records()}
        columns, rows = before["table_lineage"]
        for target in {row[columns.index("target_dataset")] for row in rows}:
            assert comparison.story(opened, str(target)).names
            assert inventory.columns(opened, str(target)).rows
            assert paths.shortened(paths.trace(opened, str(target), up=True)).rows
        assert {row[0] for row in inventory.jobs(opened).rows} >= {row[columns.index("job_name")] for row in rows}
        assert sum(int(str(row[1])) for row in inventory.gaps(opened).rows) == len(
            inventory.gaps(opened, every=True).rows
        )
        assert inventory.unused(opened, datetime(2000, 1, 1)).names[0] == "kind"
        for relation in ("jobs", "runs", "tables", "columns", "lineages"):
            assert opened.ask_freely(f"FROM {relation}").rows
        rows = opened.ask_freely("SELECT DISTINCT schema_name FROM datasets WHERE table_name IS NOT NULL").rows
        assert all(name for (name,) in rows)
        assert opened.ask_freely("FROM resolve((SELECT list(dataset) FROM datasets WHERE kind = 'table'))").rows


def origins(store: Path) -> dict[str, list[object]]:
    with open_store(store) as opened:
        tables = ("applications", "column_lineage", "table_lineage")
        return {table: [row[0] for row in opened.ask(f"SELECT DISTINCT origin FROM {table}").rows] for table in tables}


def test_the_logs_that_a_released_store_holds_are_not_read_again(release: Path, store: Path) -> None:
    known = {"applications": ["spark"], "column_lineage": ["log"], "table_lineage": ["log"]}
    assert origins(store) == known
    facts = harvested(store).summary.facts
    assert origins(store) == known
    before = renamed(expected(release, "first"))
    logs = len(before["harvested_logs"][1])
    assert (facts.logs_read, facts.logs_unchanged, facts.logs_failed, facts.bytes_read) == (0, logs, 0, 0)
    assert differences(answers(store, before), before) == {}


@pytest.mark.spark
def test_a_released_store_is_harvested_on_as_the_release_did(spark: SparkContext, release: Path, store: Path) -> None:
    """A log that has grown is read from its beginning: the release's checkpoint is for the release's code."""
    (checkpoint,) = store.glob(".versions/*/.checkpoints/*")
    assert b'"version"' in checkpoint.read_bytes()
    add_logs(release / "logs" / "second", store.parent)
    result = harvested(store)

    names = [log.name for log in (release / "logs" / "second").iterdir()]
    read = [[*store.parent.glob(f"logs/{name}/events_*")] or [store.parent / "logs" / name] for name in names]
    assert (result.unreadable, result.states) == ((), {"complete": len(names)})
    assert result.summary.facts.bytes_read == sum(file.stat().st_size for files in read for file in files)
    after = renamed(expected(release, "second"))
    found = differences(by_statements(answers(store, after)), by_statements(after))
    rows = [row for table in ("column_lineage", "executions") for row in found[table]["new"]]
    assert {cell for row in rows for cell in row if str(cell).startswith("nightly-shop: ")} == {
        "nightly-shop: mart daily"
    }, "the job that joins: its new runs have a lineage of their own"
    harvest([str(store.parent / "logs")], store, HarvestOptions(redact=OPTIONS["redact"], reprocess=True))
    assert differences(by_statements(answers(store, after)), by_statements(read_today(after))) == {}


@pytest.mark.spark
def test_the_logs_of_a_released_store_read_again_change_nothing(
    spark: SparkContext, release: Path, store: Path
) -> None:
    """Every statement is traced again, into the lineages that are there: none is doubled, none is a change."""
    result = harvest([str(store.parent / "logs")], store, HarvestOptions(redact=OPTIONS["redact"], reprocess=True))
    before = renamed(expected(release, "first"))
    assert (result.unreadable, result.summary.facts.logs_read) == ((), len(before["harvested_logs"][1]))
    now = by_statements(answers(store, before))
    assert differences(now, by_statements(read_today(before))) == {}
