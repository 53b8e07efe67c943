"""Where tables are that commits name."""

from __future__ import annotations

from eventlog_lineage.events.records import TableCommit, commit_locations, location_of


def test_a_commit_without_a_place_lies_where_the_only_table_of_that_name_does() -> None:
    one, other = TableCommit("orders", "file:/a/orders", "1"), TableCommit("orders", "file:/b/orders", "2")
    unplaced = TableCommit("orders")
    assert location_of(unplaced, commit_locations([one, None, unplaced])) == "file:/a/orders"
    assert location_of(unplaced, commit_locations([one, other])) == ""
    assert location_of(None, commit_locations([one])) == ""
