"""Files that land one after the other are one dataset: their folder, or the table whose location that is."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from eventlog_lineage.datasets.naming import DEFAULT_LANDING_FILES, landing_folder
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.stores.content import check_parquet, rows
from support.stores.nights import Night

DAILY = "spark_catalog.sales.daily"
FOLDER = "file:///landing/orders"
SOURCES = "SELECT DISTINCT dataset FROM dataset_io WHERE direction = 'read' ORDER BY 1"


def harvest(day: int, store: Path, *files: str, rule: str | None = None, place: tuple[str, str] | None = None) -> None:
    night = Night(day)
    night.app()
    for number, file in enumerate(files, 1):
        night.statement([(f"{file}!amount", "total", "IDENTITY")], target=f"{DAILY}{number}", execution=number)
    if place:
        night.place(*place)
    with open_for_harvest(store) as writer:
        night.write(writer.staging_dir)
        writer.publish(HarvestFacts(started_at=night.start + timedelta(hours=12), landing_files=rule))


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("file:///landing/orders/n1.json", "file:///landing/orders"),
        ("s3://lake/orders/2026-11-20.csv.gz", "s3://lake/orders"),
        ("s3://lake/orders/orders_20261120.parquet", "s3://lake/orders"),
        ("s3://lake/orders/2026-11-20", "s3://lake/orders"),
        ("s3://lake/orders/20261120", "s3://lake/orders"),
        ("s3://lake/orders/2026/11/20/04", "s3://lake/orders"),
        ("s3://lake/orders/2026/11", "s3://lake/orders"),
        ("s3://lake/orders/2026-11-20T04:00:00Z", "s3://lake/orders"),
        ("s3://lake/orders/2026-11-20/1.json", "s3://lake/orders"),
        ("s3://lake/orders/2026/11/orders_20261120.json.gz", "s3://lake/orders"),
        ("s3://lake/2026-11-20/orders", None),
        ("s3://lake/orders/2026", None),
        ("s3://lake/orders/20269999", None),
        ("s3://lake/2026-11-20/customers.csv", None),
        ("s3://lake/landing/orders_1.csv", None),
        ("s3://lake/orders/customers.csv", None),
        ("s3://lake/orders/1", None),
        ("s3://lake/v1.2", None),
    ],
)
def test_a_landing_file_is_named_by_a_date_or_a_number(path: str, folder: str | None) -> None:
    assert landing_folder(path, re.compile(DEFAULT_LANDING_FILES)) == folder


def test_landing_files_of_several_nights_are_one_dataset(tmp_path: Path) -> None:
    harvest(0, tmp_path, f"{FOLDER}/n1.json")
    harvest(1, tmp_path, f"{FOLDER}/n2.json", "file:///landing/codes.csv")
    assert rows(tmp_path, SOURCES) == [("file:///landing/codes.csv",), (FOLDER,)]
    assert rows(tmp_path, "SELECT kind, location FROM datasets WHERE dataset = ?", FOLDER) == [("path", FOLDER)]
    assert (FOLDER, f"{FOLDER}/n1.json", "location") in rows(tmp_path, "FROM dataset_aliases")
    check_parquet(tmp_path)


def test_landing_files_below_a_tables_location_are_the_table(tmp_path: Path) -> None:
    harvest(0, tmp_path, f"{FOLDER}/n1.json", place=("spark_catalog.raw.orders", FOLDER))
    assert rows(tmp_path, SOURCES) == [("spark_catalog.raw.orders",)]


def test_a_rule_replaces_the_default_for_all_nights_and_stays(tmp_path: Path) -> None:
    harvest(0, tmp_path, f"{FOLDER}/n1.json", "file:///drop/orders-a.csv", "file:///drop/orders-b.csv")
    harvest(1, tmp_path, rule=r"(?P<folder>.*/\w+)-\w\.csv")
    wanted = [("file:///drop/orders",), (f"{FOLDER}/n1.json",)]
    assert rows(tmp_path, SOURCES) == wanted
    harvest(2, tmp_path, "file:///drop/orders-c.csv")
    assert rows(tmp_path, SOURCES) == wanted
    harvest(3, tmp_path, rule="")
    assert len(rows(tmp_path, SOURCES)) == 4
    check_parquet(tmp_path)
