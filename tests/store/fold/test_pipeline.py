"""The fold runs as a tuple of steps; each one declares what it reads, makes and changes, and does no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.declarations import Declarations, DeclaredEdge, Thing
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.pipeline import FOLD_STEPS, STEPS
from eventlog_lineage.store.fold.steps import RUN_VIEWS, Fold, Step, declared_relations, make_open_tables
from eventlog_lineage.store.schema.creation import open_empty
from eventlog_lineage.store.schema.database import tune_for_few_rows
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, RUN_TABLES
from eventlog_lineage.store.schema.relations import raw_sql
from support.stores.nights import START, Night

OPEN = frozenset(f"open_{table.name}" for table in RUN_TABLES)
STORED = frozenset(table.name for table in DATABASE_TABLES) | OPEN
SQL = Path(__file__).resolve().parents[3] / "src" / "eventlog_lineage" / "store" / "sql"
FILES = sorted(f"{folder}/{file.stem}" for folder in ("merge", "names", "fold") for file in (SQL / folder).iterdir())

_COMMENT = re.compile(r"--[^\n]*")
_TEXT = re.compile(r"'(?:[^']|'')*'")
_NAME = r"([a-z_]+)\b(?!\s*\()"
_READ = re.compile(rf"(?<!DISTINCT )\b(?:FROM|JOIN|USING)\s+{_NAME}")
_CHANGED = re.compile(rf"\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+{_NAME}")
_MADE = re.compile(r"\bCREATE OR REPLACE TEMP (?:TABLE|VIEW)\s+([a-z_]+)")
_LOCAL = re.compile(r"\b([a-z_]+) AS (?:MATERIALIZED )?\(")


def folds(connection: duckdb.DuckDBPyConnection, folder: Path) -> Iterator[Fold]:
    """Two harvests: the second one has a renamed table, commits of tables, and drops the runs of the first."""
    for day in (0, 40):
        night = Night(day)
        app = night.app()
        shape = night.statement(
            [("spark_catalog.raw.orders!amount", f"total_{day}", "AGGREGATION")], target="spark_catalog.sales.daily"
        )
        night.show(shape, "spark_catalog.sales.daily", f"total_{day}:bigint")
        renamed = night.statement(target="spark_catalog.sales.daily", mode="alter", execution=2, command="Rename")
        night.show(renamed, "spark_catalog.sales.daily", evidence="rename", extent="renamed", words=["sales.weekly"])
        night.statement(reads=["spark_catalog.sales.daily"], execution=3)
        night.place("spark_catalog.raw.orders", "file:///wh/orders")
        if day:
            night.add(
                "table_commits",
                location="file:///wh/orders",
                snapshot_id="7",
                committed_at=START,
                app_id=app,
                stream_query_id=None,
                stream_batch_id=None,
            )
        staging = folder / str(day)
        night.write(staging)
        keep_from = START + timedelta(days=20) if day else None
        declared = Declarations(
            (Thing("dataset", "raw.orders", owner="shop", tags=("t",)),), (DeclaredEdge("raw.orders", "ftp:x"),)
        )
        yield Fold(
            connection,
            staging,
            JobNameRule(),
            declared=declared,
            keep_from=keep_from,
            rename_jobs=not day,
            is_first=not day,
        )


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with empty_database(tmp_path / "lineage.duckdb") as made:
        yield made


def empty_database(path: Path) -> duckdb.DuckDBPyConnection:
    """Create a store's database, set up for few rows."""
    made = open_empty(path, path.parent)
    make_open_tables(made)
    tune_for_few_rows(made)
    return made


def temporary(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, str]]:
    """The temporary relations: name to the number of the relation, which changes when it is replaced, and its kind."""
    rows = connection.execute(
        "SELECT table_name, table_oid, 'TABLE' FROM duckdb_tables() WHERE temporary "
        "UNION ALL SELECT view_name, view_oid, 'VIEW' FROM duckdb_views() WHERE temporary AND NOT internal"
    ).fetchall()
    return {name: (oid, kind) for name, oid, kind in rows}


def contents(connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
    query = " UNION ALL ".join(f"SELECT '{name}', count(*), sum(hash(t)::HUGEINT) FROM {name} t" for name in STORED)
    return {name: found for name, *found in connection.execute(query).fetchall()}


def clear(connection: duckdb.DuckDBPyConnection) -> None:
    for name, (_, kind) in temporary(connection).items():
        connection.execute(f"DROP {kind} temp.{name}")


def run_alone(step: Step, fold: Fold, there: dict[str, tuple[int, str]]) -> None:
    """Run a step while every temporary relation that it does not declare is hidden."""
    declared = step.relations()
    allowed = declared.reads | declared.makes | declared.changes | set(RUN_VIEWS.split())
    hidden = [(kind, name) for name, (_, kind) in there.items() if name not in allowed]
    for kind, name in hidden:
        fold.connection.execute(f"ALTER {kind} temp.{name} RENAME TO hidden_{name}")
    step.run(fold)
    for kind, name in hidden:
        fold.connection.execute(f"ALTER {kind} temp.hidden_{name} RENAME TO {name}")


def read_by_others(step: Step) -> frozenset[str]:
    """The relations that other steps read: a step may leave out one without rows that it alone reads."""
    return frozenset(name for other in STEPS if other is not step for name in other.relations().reads)


def test_each_step_reads_makes_and_changes_what_it_declares(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    changed: dict[str, set[str]] = {step.name: set() for step in STEPS}
    for fold in folds(connection, tmp_path):
        after, stored_after = temporary(connection), contents(connection)
        for step in STEPS:
            declared = step.relations()
            before, stored_before = after, stored_after
            run_alone(step, fold, before)
            after, stored_after = temporary(connection), contents(connection)
            made = {name for name in after if after[name] != before.get(name)}
            assert made <= declared.makes, step.name
            assert declared.makes & read_by_others(step) <= after.keys() or not made, step.name
            differing = {name for name in STORED if stored_before[name] != stored_after[name]}
            assert differing <= declared.changes, step.name
            changed[step.name] |= differing
        clear(connection)
    (runs,) = connection.execute("SELECT count(*) FROM past_runs").fetchone() or (0,)
    assert runs, "the second harvest drops the runs of the first"
    assert {name for names in changed.values() for name in names} >= {
        "column_lineage",
        "table_lineage",
        "lineage_changes",
        "schema_versions",
        "open_run_snapshots",
        "trace_edges",
    }


@pytest.mark.parametrize("name", FILES)
def test_an_sql_file_declares_the_relations_that_it_names(name: str) -> None:
    declared = declared_relations(name)
    filled = raw_sql(name).replace("{applications}", "compared_applications").replace("{prefix}", "open_")
    text = _TEXT.sub("''", _COMMENT.sub("", filled))
    made, changed = set(_MADE.findall(text)), set(_CHANGED.findall(text))
    read = set(_READ.findall(text)) - set(_LOCAL.findall(text)) - {"select", "set"}
    assert made == declared.makes
    assert changed == declared.changes
    assert declared.reads <= read
    assert read - made - changed <= declared.reads


def test_every_temporary_relation_that_a_step_reads_is_made_by_a_step_before_it() -> None:
    views = {"statement_runs", "named_io", "named_edges", "named_joins", "removals", "dataset_io"}
    made: set[str] = set()
    for step in STEPS:
        declared = step.relations()
        assert declared.reads <= made | STORED | views, step.name
        assert declared.changes <= made | STORED, step.name
        made |= declared.makes


def test_no_sql_file_makes_a_relation_that_nothing_reads() -> None:
    modules = [*(SQL.parent / "fold").glob("*.py"), *(SQL.parent / "versions").glob("*.py")]
    text = "".join([*(_COMMENT.sub("", raw_sql(name)) for name in FILES), *(path.read_text() for path in modules)])
    for file in FILES:
        for name in declared_relations(file).makes:
            assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{file} makes {name}"


def test_the_steps_after_the_merge_change_no_table_of_single_runs() -> None:
    """The Parquet files of the days are written before they run."""
    assert [step.name for step in FOLD_STEPS if step.relations().changes & OPEN] == []


def test_a_step_that_no_harvest_needs_does_not_run(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fold = next(folds(connection, tmp_path))
    for step in STEPS:
        step.run(replace(fold, keep_from=None))
    assert "expired_applications" not in temporary(connection)
    assert "named_commits" not in temporary(connection)
    assert connection.execute("SELECT max(started_at) FROM applications").fetchone() == (datetime(2026, 11, 18, 1),)
