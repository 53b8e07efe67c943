"""Observations of schemas are stored as stores of 0.1.0 keep them."""

from __future__ import annotations

import pytest

from eventlog_lineage.observed_schemas import (
    AllColumns,
    ColumnsAdded,
    ColumnsRetyped,
    Evidence,
    HashedChanges,
    SchemaColumn,
    SchemaObservation,
    SomeColumns,
    StoredObservation,
    TableCreated,
    TableDropped,
    TableRenamed,
    from_stored,
    to_stored,
)

COLUMNS = (SchemaColumn("id", "bigint"), SchemaColumn("total", "", "0f"))

STORED: list[tuple[SchemaObservation, StoredObservation]] = [
    (
        AllColumns(dataset="t", evidence=Evidence.OVERWRITE, columns=COLUMNS, ordered=True, detail="Insert"),
        StoredObservation("t", "overwrite", "all", COLUMNS, True, (), "Insert"),
    ),
    (
        AllColumns(dataset="t", evidence=Evidence.RELATION, columns=COLUMNS),
        StoredObservation("t", "relation", "all", COLUMNS),
    ),
    (
        SomeColumns(dataset="t", evidence=Evidence.READ, columns=COLUMNS, types_by_reader=True),
        StoredObservation("t", "read", "some", COLUMNS, False, ("types of the reader",)),
    ),
    (
        SomeColumns(dataset="t", evidence=Evidence.APPEND, columns=COLUMNS, ordered=True),
        StoredObservation("t", "append", "some", COLUMNS, True),
    ),
    (
        TableCreated(dataset="t", columns=COLUMNS, is_complete=True, ordered=True, if_not_exists=True),
        StoredObservation("t", "create", "all", COLUMNS, True, ("if not exists",)),
    ),
    (
        TableCreated(dataset="t", replaces=True, columns=COLUMNS, ordered=True),
        StoredObservation("t", "replace", "some", COLUMNS, True),
    ),
    (TableCreated(dataset="t", detail="CREATE"), StoredObservation("t", "create", "none", detail="CREATE")),
    (ColumnsAdded(dataset="t", columns=COLUMNS), StoredObservation("t", "alter", "added", COLUMNS)),
    (ColumnsRetyped(dataset="t", columns=COLUMNS), StoredObservation("t", "alter", "retyped", COLUMNS)),
    (
        HashedChanges(dataset="t", changes=("RenameColumn@e5357390", "DeleteColumn@61")),
        StoredObservation("t", "alter", "codes", words=("RenameColumn@e5357390", "DeleteColumn@61")),
    ),
    (TableRenamed(dataset="t", new_name="db.u"), StoredObservation("t", "rename", "renamed", words=("db.u",))),
    (TableDropped(dataset="t"), StoredObservation("t", "drop", "dropped")),
]


@pytest.mark.parametrize(("observation", "stored"), STORED, ids=lambda each: type(each).__name__)
def test_an_observation_has_its_stored_form_and_comes_back_from_it(
    observation: SchemaObservation, stored: StoredObservation
) -> None:
    assert to_stored(observation) == stored
    assert from_stored(stored) == observation


@pytest.mark.parametrize("stored", [StoredObservation("t", "create", "later"), StoredObservation("t", "later", "all")])
def test_a_stored_form_of_a_later_program_is_an_error(stored: StoredObservation) -> None:
    with pytest.raises(ValueError, match="later"):
        from_stored(stored)
