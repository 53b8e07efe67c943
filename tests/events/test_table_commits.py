"""Where tables are that commits name."""

from __future__ import annotations

from eventlog_lineage.events.table_commits import TableCommit, commit_places, place_of


def test_a_commit_without_a_place_lies_where_the_only_table_of_that_name_does() -> None:
    one, other = TableCommit("orders", "file:/a/orders", "1"), TableCommit("orders", "file:/b/orders", "2")
    unplaced = TableCommit("orders")
    assert place_of(unplaced, commit_places([one, None, unplaced])) == "file:/a/orders"
    assert place_of(unplaced, commit_places([one, other])) == ""
    assert place_of(None, commit_places([one])) == ""
