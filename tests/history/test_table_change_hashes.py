from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.history.columns import Columns, DataType, KnownColumn
from eventlog_lineage.history.hashed_changes import TableChange, read_change, type_hashes, with_names_in
from eventlog_lineage.history.table_state import Vocabulary
from eventlog_lineage.plan.grammar.types import catalog_type

LINES = (Path(__file__).parent / "type_hashes.txt").read_text(encoding="utf-8").splitlines()[1:]
TYPES = [tuple(line.split(" | ")) for line in LINES]


@pytest.mark.parametrize(("version", "data_type", "printed", "code"), TYPES, ids=[" ".join(row[:2]) for row in TYPES])
def test_a_type_has_the_hash_code_that_spark_gives_it(version: str, data_type: str, printed: str, code: str) -> None:
    assert int(code, 16) in type_hashes(data_type)
    assert catalog_type(printed) == data_type


def table(*names: str) -> Columns:
    return Columns({name: KnownColumn(name, DataType(), "create") for name in names})


@pytest.mark.parametrize(
    ("word", "change"),
    [
        ("RenameColumn@e5357390", TableChange("RenameColumn", "name", "full_name")),
        ("RenameColumn@7d209be5", TableChange("RenameColumn", "addr.zip", "postcode")),
        ("DeleteColumn@5c7942f", TableChange("DeleteColumn", "extra")),
        ("UpdateColumnType@7e7c7fc5", TableChange("UpdateColumnType", "id", "bigint")),
        ("AddColumn@f8114f6a", TableChange("AddColumn", "c", "int")),
        ("AddColumn@f81409a4", TableChange("AddColumn", "c", "int")),
        ("AddColumn@12345678", TableChange("AddColumn", "")),
        ("RenameColumn@12345678", TableChange("RenameColumn", "")),
    ],
)
def test_a_change_is_told_from_its_code_as_spark_printed_it(word: str, change: TableChange) -> None:
    columns = table("id", "name", "extra", "addr", "addr.zip")
    vocabulary = Vocabulary(("full_name", "c", "addr.postcode"), ())
    assert read_change(word, columns, vocabulary) == change


def test_a_statements_own_text_says_what_may_have_been_added() -> None:
    text = "ALTER TABLE shop.updates ADD COLUMNS (note STRING COMMENT 'free text')"
    found = read_change("AddColumn@4aed9d2d", table("id"), with_names_in(Vocabulary((), ()), text))
    assert found == TableChange("AddColumn", "note", "string")


@pytest.mark.parametrize("word", ["SetProperty@fe2", "UpdateColumnComment@c05174e8"])
def test_what_leaves_names_and_types_as_they_are_is_no_change(word: str) -> None:
    assert read_change(word, table("id"), Vocabulary((), ())) is None


@pytest.mark.parametrize("word", ["UpdateColumnType@c7d92d0c", "UpdateColumnType@387897c9"])  # of Spark 3.5.9 and 4.1.4
def test_a_decimal_gets_more_digits_though_no_statement_prints_the_type(word: str) -> None:
    columns = table("ward", "weight")
    columns.known["weight"].type.text = "decimal(6,2)"
    change = TableChange("UpdateColumnType", "weight", "decimal(10,2)")
    assert read_change(word, columns, Vocabulary((), ())) == change
    columns.known["weight"].type.text = "decimal(12,2)"
    assert read_change(word, columns, Vocabulary((), ())) == TableChange("UpdateColumnType", "")
