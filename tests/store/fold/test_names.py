"""A table and its location are one dataset, in whichever application and night (SEMANTICS.md, "Datasets")."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.stores.content import check_parquet, rows
from support.stores.nights import Night, together

PATH = "s3://lake/raw/orders"


def orders(story: str) -> str:
    return f"spark_catalog.raw.{story}"


def other(story: str) -> str:
    return f"spark_catalog.other.{story}"


def daily(story: str) -> str:
    return f"spark_catalog.sales.{story}"


def mart(story: str) -> str:
    return f"spark_catalog.mart.{story}"


def place(story: str) -> str:
    return f"file:///wh/{story}"


def reader(story: str, day: int, source: str, target: str = "", at: str = "") -> Night:
    """A night with a statement that reads a dataset, of a story with tables of its own.

    Args:
        story: The story.
        day: The night's.
        source: The dataset.
        target: The table that it writes; by default, the story's daily one.
        at: Where the source is, as the log shows it.
    """
    made = Night(day)
    kind = "path" if ":/" in source else "table"
    made.app(f"{story}-{day}", f"reads {source.rpartition('/')[2].rpartition('.')[2]} as {kind}")
    made.statement([(f"{source}!amount", "total", "IDENTITY")], target=target or daily(story), app=f"{story}-{day}")
    if at:
        made.place(source, at)
    return made


def reader_of_both_names(story: str) -> Night:
    made = Night()
    app = made.app(f"{story}-0")
    edges = [(f"{name}!a", "a", "IDENTITY") for name in (place(story), orders(story))]
    made.statement(edges, target=daily(story), app=app)
    made.place(orders(story), place(story))
    for dataset in (place(story), orders(story)):
        made.add("io_metrics", app_id=app, attempt_id="", execution_id=1, dataset=dataset, direction="read", rows=5)
    return made


def night_of(day: int) -> Night:
    """The harvest of a night: the stories have nothing to do with each other."""
    nights = [
        [
            reader("learnt", 0, place("learnt")),
            reader("known", 0, orders("known"), at=place("known")),
            reader_of_both_names("both"),
            reader("shared", 0, orders("shared"), at=place("shared")),
            reader("left", 0, orders("left"), at=place("left")),
            reader("moved", 0, orders("moved"), at=place("moved")),
            reader("path", 0, PATH),
        ],
        [
            reader("learnt", 1, other("learnt")),
            reader("known", 1, place("known")),
            reader("shared", 1, other("shared"), at=place("shared")),
            reader("left", 1, other("left"), at=place("left")),
            reader("moved", 1, orders("moved"), at="file:///wh/new/moved"),
            reader("path", 1, PATH),
        ],
        [
            reader("shared", 2, place("shared"), mart("shared")),
            reader("left", 2, orders("left"), at="file:///wh/new/left"),
        ],
        [reader("shared", 3, orders("shared"))],
    ]
    nights[1][0].place(orders("learnt"), place("learnt"))
    return together(*nights[day], day=day)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The store after each of the nights."""
    made: list[Path] = []
    for day in range(4):
        store = tmp_path_factory.mktemp("after") / str(day)
        if made:
            shutil.copytree(made[-1], store, symlinks=True)
        night_of(day).harvest(store)
        check_parquet(store)
        made.append(store)
    return made


def read_by(store: Path, story: str) -> list[tuple[object, ...]]:
    """The sources of a story's tables."""
    query = "SELECT DISTINCT source_dataset FROM table_lineage WHERE target_dataset IN (?, ?) ORDER BY 1"
    return rows(store, query, daily(story), mart(story))


def placed(store: Path, story: str) -> list[tuple[object, ...]]:
    """The locations of a story that are names of tables."""
    query = "SELECT alias, dataset FROM dataset_aliases WHERE kind = 'location' AND alias LIKE ? ORDER BY 1"
    return rows(store, query, f"%/{story}")


def test_a_place_that_comes_to_be_known_rewrites_what_earlier_nights_stored(stores: list[Path]) -> None:
    first, second, *_ = stores
    query = "SELECT kind FROM datasets WHERE dataset = ?"
    assert rows(first, query, place("learnt")) == [("path",)]
    assert rows(second, query, place("learnt")) == []
    edges = "SELECT DISTINCT source_dataset FROM {} WHERE target_dataset = ? ORDER BY 1"
    for relation in ("column_lineage", "execution_column_lineage"):
        found = rows(second, edges.format(relation), daily("learnt"))
        assert found == [(other("learnt"),), (orders("learnt"),)], relation
    uses = "SELECT dataset FROM dataset_io WHERE app_id = 'learnt-0' AND direction = 'read'"
    assert rows(second, uses) == [(orders("learnt"),)]
    query = "SELECT kind, location FROM datasets WHERE dataset = ?"
    assert rows(second, query, orders("learnt")) == [("table", place("learnt"))]
    assert placed(second, "learnt") == [(place("learnt"), orders("learnt"))]


def test_a_place_known_from_an_earlier_night_names_tonights_paths(stores: list[Path]) -> None:
    assert read_by(stores[1], "known") == [(orders("known"),)]


def test_a_statement_that_reads_a_table_by_both_names_reads_it_once(stores: list[Path]) -> None:
    query = "SELECT source_dataset, source_column, run_count FROM column_lineage WHERE target_dataset = ?"
    assert rows(stores[0], query, daily("both")) == [(orders("both"), "a", 1)]
    uses = "SELECT dataset, rows FROM dataset_io WHERE app_id = 'both-0' AND direction = 'read'"
    assert rows(stores[0], uses) == [(orders("both"), 10)]


def test_two_tables_at_one_place_stay_two_and_the_path_is_that_of_the_one_used_last(stores: list[Path]) -> None:
    query = "SELECT source_dataset, target_dataset FROM table_lineage WHERE target_dataset IN (?, ?) ORDER BY ALL"
    assert rows(stores[2], query, daily("shared"), mart("shared")) == [
        (other("shared"), mart("shared")),
        (other("shared"), daily("shared")),
        (orders("shared"), daily("shared")),
    ]
    assert placed(stores[2], "shared") == [(place("shared"), other("shared"))]
    assert placed(stores[3], "shared") == [(place("shared"), orders("shared"))]


def test_a_place_that_a_table_has_left_is_that_of_the_table_that_is_there_now(stores: list[Path]) -> None:
    assert placed(stores[2], "left") == [("file:///wh/left", other("left")), ("file:///wh/new/left", orders("left"))]
    query = "SELECT location FROM datasets WHERE dataset = ?"
    assert rows(stores[2], query, orders("left")) == [("file:///wh/new/left",)]


def test_a_place_that_nobody_else_has_stays_with_the_table_that_left_it(stores: list[Path]) -> None:
    both = [("file:///wh/moved", orders("moved")), ("file:///wh/new/moved", orders("moved"))]
    assert placed(stores[1], "moved") == both


def test_datasets_have_openlineages_names_and_when_they_were_used(stores: list[Path]) -> None:
    query = (
        "SELECT namespace, name, kind, format, first_seen, last_seen FROM datasets WHERE dataset IN (?, ?) ORDER BY 1"
    )
    starts = [Night(day).start.replace(minute=1) for day in (0, 1)]
    assert rows(stores[1], query, PATH, daily("path")) == [
        ("s3://lake", "raw/orders", "path", "parquet", *starts),
        ("spark://spark_catalog", "sales.path", "table", "parquet", *starts),
    ]


TABLE, SERVED = "spark_catalog.shop.totals", "jdbc:sales.totals"


def night_of_served(*served: str, file_format: str = "") -> Night:
    """A night that creates a table of the session catalog, reads tables of servers with its name, and drops it."""
    made = Night()
    made.app()
    shape = made.statement([(f"{orders('served')}!amount", "total", "IDENTITY")], target=TABLE, mode="create")
    made.show(shape, TABLE, "total:bigint", evidence="create")
    made.rows["shown_datasets"] = [each for each in made.rows["shown_datasets"] if each["dataset"] != TABLE]
    made.dataset(TABLE, file_format=file_format)
    made.show_place(TABLE, "file:///wh/totals")
    for at, name in enumerate(served, 2):
        made.statement([(f"{name}!total", "total", "IDENTITY")], target=f"spark_catalog.shop.copy{at}", execution=at)
        made.show_symlink(TABLE, name)
    shape = made.statement(target=TABLE, mode="drop", execution=9)
    made.rows["shown_datasets"][-1]["format"] = ""
    made.show(shape, TABLE, evidence="drop", extent="dropped")
    return made


def test_a_table_of_the_session_catalog_whose_rows_are_on_a_server_has_the_name_of_the_server(tmp_path: Path) -> None:
    night_of_served(SERVED).harvest(tmp_path)
    check_parquet(tmp_path)
    edges = "SELECT source_dataset, target_dataset FROM column_lineage WHERE ? IN (source_dataset, target_dataset)"
    assert sorted(rows(tmp_path, edges, SERVED)) == [(SERVED, "spark_catalog.shop.copy2"), (orders("served"), SERVED)]
    facts = "SELECT dataset, location FROM datasets WHERE dataset IN (?, ?)"
    assert rows(tmp_path, facts, SERVED, TABLE) == [(SERVED, "")]
    assert rows(tmp_path, "SELECT dataset, kind FROM dataset_aliases WHERE alias = ?", TABLE) == [(SERVED, "catalog")]


def test_dropping_a_table_of_the_session_catalog_keeps_the_table_of_the_server(tmp_path: Path) -> None:
    night_of_served(SERVED).harvest(tmp_path)
    assert rows(tmp_path, "SELECT change FROM schema_changes WHERE dataset = ?", SERVED) == [("table_created",)]
    assert rows(tmp_path, "SELECT mode FROM dataset_io WHERE direction = 'write' AND dataset = ?", SERVED) == [
        ("create",)
    ]


@pytest.mark.parametrize(
    "night", [night_of_served(SERVED, "jdbc:sales.other"), night_of_served(SERVED, file_format="parquet")]
)
def test_a_name_of_several_tables_or_of_files_is_not_that_of_a_table_of_a_server(tmp_path: Path, night: Night) -> None:
    night.harvest(tmp_path)
    writes = "SELECT target_dataset FROM column_lineage WHERE source_dataset = ?"
    assert rows(tmp_path, writes, orders("served")) == [(TABLE,)]
