"""What the schemas in a table's own metadata make of an `ALTER TABLE` whose plan prints hash codes."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from eventlog_lineage.history.columns import TimedObservation
from eventlog_lineage.history.evolution import evolve
from eventlog_lineage.history.hashed_changes import deleted, moved, text_hash, type_hashes
from eventlog_lineage.observed_schemas import HashedChanges, SchemaColumn, TableCreated, TableSchema
from support.table_changes import added

START = datetime(2026, 11, 1)
FIRST = "UpdateColumnPosition@732c0e18"
"""`ColumnPosition.First` has the hash code of its object."""


def created(*columns: str) -> TimedObservation:
    shown = TableCreated(dataset="t", columns=listed(columns), is_complete=True, ordered=True)
    return TimedObservation(START, ("app", "", 0), "job", shown)


def altered(day: int, *changes: str) -> TimedObservation:
    shown = HashedChanges(dataset="t", changes=changes)
    return TimedObservation(START + timedelta(days=day), ("app", "", day), "job", shown)


def listed(columns: tuple[str, ...]) -> tuple[SchemaColumn, ...]:
    return tuple(SchemaColumn(*column.split(":", 1)) for column in columns)


def schema(number: int, *columns: str, comments: tuple[str, ...] = (), day: int | None = None) -> TableSchema:
    time = None if day is None else START.replace(tzinfo=timezone.utc) + timedelta(days=day)
    return TableSchema(str(number), time and int(time.timestamp() * 1000), listed(columns), comments)


def history(*observations: TimedObservation, schemas: tuple[TableSchema, ...]) -> list[str]:
    """Day, change, column and new value of each change, and the changes that stay unknown."""
    found = evolve(observations, {"t": schemas})
    assert {each.confidence for each in found.changes} == {"exact"}
    texts = [
        f"{(each.changed_at - START).days} {each.change} {each.column_name} {each.new_value}"
        for each in found.changes
        if each.column_name
    ]
    return [*texts, *(f"unknown {kind}" for _, kind, _ in found.unknown)]


def code(change: str, number: int) -> str:
    return f"{change}@{number:x}"


def test_names_types_and_comments_in_metadata_resolve_the_codes_of_columns_that_no_statement_names() -> None:
    (int_hash, *_) = type_hashes("int")
    add = code("AddColumn", added(["z"], int_hash, "a", comment="the z"))
    drop = code("DeleteColumn", deleted(["z"]))
    schemas = (schema(0, "a:int", "b:int"), schema(1, "a:int", "z:int", "b:int", comments=("the z",)))
    assert history(created("a:int", "b:int"), altered(1, add), altered(2, drop), schemas=schemas) == [
        "1 column_added z int",
        "2 column_dropped z None",
    ]
    assert history(created("a:int", "b:int"), altered(1, add), schemas=()) == ["unknown AddColumn"]


def test_a_move_to_the_front_follows_from_the_schema_that_differs_by_it_alone() -> None:
    schemas = (schema(0, "a:int", "b:int", "c:int"), schema(1, "c:int", "a:int", "b:int"))
    assert history(created("a:int", "b:int", "c:int"), altered(1, FIRST), schemas=schemas) == ["1 column_moved c 1"]
    found = evolve([created("a:int", "b:int", "c:int"), altered(1, FIRST)], {"t": schemas})
    assert [each.column_name for each in found.versions if each.valid_to is None] == ["c", "a", "b"]


def test_a_column_that_is_added_first_comes_first() -> None:
    schemas = (schema(0, "a:int"), schema(1, "z:date", "a:int"))
    found = evolve([created("a:int"), altered(1, "AddColumn@1234567")], {"t": schemas})
    assert [each.column_name for each in found.versions if each.valid_to is None] == ["z", "a"]


def test_of_schemas_with_times_the_one_counts_that_the_table_had_after_the_statement() -> None:
    early, late = schema(1, "a:int", "x:int", day=1), schema(2, "a:int", "y:int", day=3)
    assert history(created("a:int"), altered(2, "AddColumn@1234567"), schemas=(early, late)) == ["2 column_added x int"]


def test_a_schema_with_a_time_right_after_the_statement_counts_if_the_one_before_does_not_fit() -> None:
    later = schema(2, "a:int", "y:int", day=2)
    rounded = TableSchema(later.schema_id, (later.changed_at or 0) + 400, later.columns)
    before = schema(1, "a:int", day=1)
    assert history(created("a:int"), altered(2, "AddColumn@1234567"), schemas=(before, rounded)) == [
        "2 column_added y int"
    ]
    late = TableSchema(later.schema_id, (later.changed_at or 0) + 4000, later.columns)
    assert history(created("a:int"), altered(2, "AddColumn@1234567"), schemas=(before, late)) == ["unknown AddColumn"]


def test_a_schema_that_differs_by_other_changes_too_explains_nothing() -> None:
    schemas = (schema(0, "a:int"), schema(1, "a:int", "x:int", "y:int"))
    assert history(created("a:int"), altered(1, "AddColumn@1234567"), schemas=schemas) == ["unknown AddColumn"]


def test_schemas_make_no_changes_themselves() -> None:
    assert history(created("a:int"), schemas=(schema(0, "a:int"), schema(1, "a:bigint", "b:int"))) == []


def test_a_rename_between_columns_of_metadata_is_exact() -> None:
    rename = code("RenameColumn", (31 * (31 + text_hash("k")) + deleted(["b"])) & 0xFFFFFFFF)
    schemas = (schema(0, "a:int", "b:int"), schema(1, "a:int", "k:int"))
    after = code("UpdateColumnPosition", moved(["a"], "k"))
    assert history(created("a:int", "b:int"), altered(1, rename), altered(2, after), schemas=schemas) == [
        "1 column_renamed k k",
        "2 column_moved a 2",
    ]
