"""The stores that users have: each release's opens, answers as before, and is harvested on.

`scripts/make_released_store.py` made the folders; the answers are those of the release itself.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import zstandard
from pyspark import SparkContext

from eventlog_lineage.datasets.openlineage import location_name
from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.store.queries import dataset_history, lookups, recent_changes, unused_datasets
from eventlog_lineage.store.queries.open_store import open_store

RELEASES = sorted((Path(__file__).resolve().parents[2] / "store" / "released").iterdir())
MODIFIED_AT = 1_795_000_000
OPTIONS = HarvestOptions(redact=(r"^/.*(?=/logs/)",))

CORRECTIONS = Path(__file__).resolve().parents[1] / "released_corrections"

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


def answers(store: Path, like: Answers) -> Answers:
    """What the store has in the tables and columns of other answers."""
    found: Answers = {}
    with open_store(store) as opened:  # the views of a store that was moved name its old folder
        for table, (columns, _) in like.items():
            quoted = ", ".join(f'"{column}"' for column in columns)
            rows = opened.ask(f"SELECT {quoted} FROM {table} ORDER BY ALL").rows
            found[table] = (columns, [[*map(plain, row)] for row in rows])
    return found


def by_statements(told: Answers) -> Answers:
    """Replace the name of a lineage, which depends on the text of its gaps, by the statements that share it."""
    statements: dict[object, list[object]] = {}
    columns, rows = told["lineages"]
    for row in rows:
        statements.setdefault(row[columns.index("lineage_fingerprint")], []).append(row[columns.index("lineage_id")])
    return {
        table: (names, sorted(([statements.get(each, each) for each in row] for row in found), key=str))
        for table, (names, found) in told.items()
    }


def named_by_files(told: Answers, store: Path) -> Answers:
    """Name datasets as this release does: OpenLineage's names of 0.1.0 were those of the catalog, now of the files."""
    with open_store(store) as opened:
        catalogs = dict(opened.ask("SELECT catalog, max_by(namespace, shown_at) FROM catalogs GROUP BY ALL").rows)
    columns, rows = told["datasets"]
    kind, location, space, name = (columns.index(each) for each in ("kind", "location", "namespace", "name"))
    named = [list(row) for row in rows]
    for row in named:
        if row[location]:
            row[space], row[name] = location_name(str(row[location]))
        elif row[kind] in {"table", "view"}:
            row[space] = catalogs.get(row[space], row[space])
    return told | {"datasets": (columns, named)}


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


def corrections(release: Path, test: str) -> Differences:
    """Return the rows that later versions read better, as `scripts/make_released_corrections.py` recorded them."""
    path = CORRECTIONS / f"{release.name}.json"
    recorded = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found: Differences = recorded.get(test, {})
    return found


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


def test_every_query_answers_on_a_released_store(release: Path, store: Path) -> None:
    before = expected(release, "first")
    with open_store(store) as opened:
        found = recent_changes.changes(opened, datetime(2000, 1, 1))
        assert len(found.rows) == len(before["schema_changes"][1]) + len(before["lineage_changes"][1])
        columns, rows = before["table_lineage"]
        for target in {row[columns.index("target_dataset")] for row in rows}:
            assert dataset_history.story(opened, str(target)).names
            assert lookups.columns(opened, str(target)).rows
            assert lookups.trace(opened, str(target), up=True, short=True).rows
        assert {row[0] for row in lookups.jobs(opened).rows} >= {row[columns.index("job_name")] for row in rows}
        assert sum(int(str(row[1])) for row in lookups.gaps(opened).rows) == len(lookups.gaps(opened, every=True).rows)
        assert unused_datasets.unused(opened, datetime(2000, 1, 1)).names[0] == "kind"
        for relation in ("jobs", "runs", "tables", "columns", "lineages"):
            assert opened.ask_freely(f"FROM {relation}").rows
        rows = opened.ask_freely("SELECT DISTINCT schema_name FROM datasets WHERE table_name IS NOT NULL").rows
        assert all(name for (name,) in rows)
        assert opened.ask_freely("FROM resolve((SELECT list(dataset) FROM datasets WHERE kind = 'table'))").rows
        runs = "FROM executions WHERE execution_id = root_execution_id"
        later = f"SELECT count(*), count(executor_run_ms), count(sql_text), count(scheduler) {runs}"
        if "executor_run_ms" not in before["executions"][0]:
            assert [row[1:] for row in opened.ask(later).rows] == [(0, 0, 0)]
            assert opened.ask("SELECT max(executor_run_ms) FROM job_costs").rows == [(None,)]


def test_the_logs_that_a_released_store_holds_are_not_read_again(release: Path, store: Path) -> None:
    facts = harvested(store).summary.facts
    before = expected(release, "first")
    logs = len(before["harvested_logs"][1])
    assert (facts.logs_read, facts.logs_unchanged, facts.logs_failed, facts.bytes_read) == (0, logs, 0, 0)
    assert differences(answers(store, before), before) == corrections(release, "not read again")


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
    after = named_by_files(expected(release, "second"), store)
    assert differences(answers(store, after), after) == corrections(release, "harvested on")


@pytest.mark.spark
def test_the_logs_of_a_released_store_read_again_change_nothing(
    spark: SparkContext, release: Path, store: Path
) -> None:
    """Every statement is traced again, into the lineages that are there: none is doubled, none is a change.

    But for what the release got wrong: `corrections.json` lists each such row.
    """
    result = harvest([str(store.parent / "logs")], store, HarvestOptions(redact=OPTIONS.redact, reprocess=True))
    before = expected(release, "first")
    assert (result.unreadable, result.summary.facts.logs_read) == ((), len(before["harvested_logs"][1]))
    now = by_statements(answers(store, before))
    assert differences(now, by_statements(named_by_files(before, store))) == corrections(release, "read again")
