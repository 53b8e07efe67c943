"""Relations, columns and macros of releases answer in `main` for one more version, as the changelog announces."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import duckdb
import pytest
import zstandard

from eventlog_lineage.store.publish.writer import HarvestFacts, open_for_harvest
from eventlog_lineage.store.schema.schemas import OLD_MACROS, OLD_NAMES, OLD_VIEWS

TESTS = Path(__file__).resolve().parents[2]
RELEASES = sorted((TESTS / "store" / "released").iterdir())
CHANGELOG = (TESTS.parent / "CHANGELOG.md").read_text(encoding="utf-8")

CALLS = {
    "upstream": "upstream({})",
    "downstream": "downstream({})",
    "impact": "impact({})",
    "lineage_at": "lineage_at(TIMESTAMP '2027-01-01')",
    "upstream_at": "upstream_at({}, TIMESTAMP '2027-01-01')",
    "downstream_at": "downstream_at({}, TIMESTAMP '2027-01-01')",
    "resolve": "resolve({})",
    "find_name": "find_name({})",
    "find_names": "find_names({})",
    "dataset_trace": "dataset_trace({}, 1000, false, true)",
    "reach_datasets": "reach_datasets({}, 1000, false, false)",
    "reach_up": "reach_up({}, 1000, false)",
    "reach_down": "reach_down({}, 1000, false, true)",
}
"""How each macro of `main` in a released version is called, with a name."""


@pytest.fixture(scope="module", params=RELEASES, ids=lambda folder: folder.name)
def stores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the database of a released store, and that of a copy that this version has written to."""
    folder = tmp_path_factory.mktemp("released")
    packed = zstandard.ZstdDecompressor().decompress((request.param / "store.tar.zst").read_bytes(), 1 << 28)
    for name in ("before", "after"):
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                archive.extract(member, folder / name)
    find_runs(folder / "before" / "store")
    with open_for_harvest(folder / "after" / "store") as writer:
        writer.publish(HarvestFacts(datetime(2027, 1, 1)))
    return folder / "before" / "store" / "lineage.duckdb", folder / "after" / "store" / "lineage.duckdb"


def find_runs(store: Path) -> None:
    """Let the views over the runs read those of this folder; they name the folder in which the store was made."""
    with duckdb.connect(str(store.resolve() / "lineage.duckdb")) as connection:
        query = "SELECT sql FROM duckdb_views() WHERE NOT internal AND contains(sql, 'read_parquet')"
        for (sql,) in connection.execute(query).fetchall():
            moved = re.sub(r"'/[^']*/(?=runs/)", f"'{store}/", sql)
            connection.execute(moved.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))


@pytest.fixture
def shells(stores: tuple[Path, Path]) -> Iterator[tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection]]:
    """Each database in a shell without settings."""
    before, after = (duckdb.connect(str(path), read_only=True) for path in stores)
    with before, after:
        yield before, after


def relations(shell: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    query = (
        "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND NOT internal GROUP BY table_name"
    )
    return dict(shell.execute(query).fetchall())


def macros(shell: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    query = (
        "SELECT DISTINCT function_name, parameters FROM duckdb_functions() "
        "WHERE schema_name = 'main' AND NOT internal AND function_type = 'table_macro'"
    )
    return dict(shell.execute(query).fetchall())


def columns(shell: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    return [name for name, *_ in shell.execute(f"DESCRIBE {query}").fetchall()]


def quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def test_every_relation_of_a_release_has_its_columns(
    shells: tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection],
) -> None:
    before, after = shells
    assert {*relations(before)} > {"column_lineage", "lineages"}
    for name, names in relations(before).items():
        assert {*names} <= {*relations(after).get(name, [])}, name
        after.execute(f"SELECT {quoted(names)} FROM {name}").fetchall()


def test_every_macro_of_a_release_takes_its_parameters_and_returns_its_columns(
    shells: tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection],
) -> None:
    before, after = shells
    assert {*macros(before)} <= {*CALLS}
    for name, parameters in macros(before).items():
        assert macros(after)[name] == parameters
        query = f"FROM {CALLS[name]}".format("'x'")
        assert {*columns(before, query)} <= {*columns(after, query)}, name


def test_the_macros_of_a_release_answer_as_before(
    shells: tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection],
) -> None:
    """For all columns of a dataset and for the dataset; the number of an edge is another one in each version."""
    before, after = shells
    query = "SELECT target_dataset, min(target_column) FROM column_lineage GROUP BY 1 ORDER BY count(*) DESC, 1"
    dataset, column = before.execute(query).fetchone() or ("", "")
    compared = 0
    for name in {*macros(before)} & {*OLD_MACROS}:
        for asked in (dataset, f"{dataset}.{column}"):
            names = [each for each in columns(before, f"FROM {CALLS[name]}".format("'x'")) if each != "edge"]
            query = f"SELECT {quoted(names)} FROM {CALLS[name]} ORDER BY ALL".format(f"'{asked}'")
            found = before.execute(query).fetchall()
            assert after.execute(query).fetchall() == found, (name, asked)
            compared += len(found)
    assert compared > 0 or not {*macros(before)} & {*OLD_MACROS}


def test_the_changelog_announces_the_old_names() -> None:
    announced = CHANGELOG[CHANGELOG.index("## 0.2.0") :]
    names = (*OLD_NAMES, *OLD_VIEWS, *OLD_MACROS)
    assert [name for name in names if f"`{name}`" not in announced] == []
