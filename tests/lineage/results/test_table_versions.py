"""Versions follow from what later statements load; what does not follow is unknown."""

from __future__ import annotations

from eventlog_lineage.lineage.results.table_versions import TableAccess, TableVersions

IDS, COUNTED = "lake.shop.orders", "file:///shop/orders"


def uses(table: str, *accesses: TableAccess | None) -> list[tuple[int, str, str]]:
    """Return (statement, direction, snapshot) of the accesses to a table in order; None is a procedure."""
    versions = TableVersions()
    found = []
    for root, access in enumerate(accesses):
        if access is None:
            versions.forget_pending_writes()
        else:
            added = versions.add(root, table, access)
            found += [(each.execution_id, each.direction, each.snapshot_id) for each in added]
    return found


def writes(found: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
    return [each for each in found if each[1] == "write"]


def read(*snapshots: str) -> TableAccess:
    return TableAccess(found=list(snapshots))


def written(*snapshots: str, creates: str = "") -> TableAccess:
    return TableAccess(found=list(snapshots), writes=True, creates=creates, first=creates, is_late=True)


def test_a_write_has_the_id_that_the_next_statement_loads() -> None:
    assert (1, "write", "b") in uses(IDS, read("a"), written(), read("b"))


def test_of_several_writes_without_a_read_between_them_none_has_an_id() -> None:
    assert writes(uses(IDS, read("a"), written(), written(), written(), read("d"))) == []


def test_a_write_to_a_branch_does_not_get_the_id_of_an_earlier_write() -> None:
    found = uses(IDS, written(), written(), written(), read("a"), read("b"), read("a"), written(), read("c"))
    assert writes(found) == []


def test_a_write_after_a_procedure_is_unknown_until_it_loads_what_it_changes() -> None:
    assert writes(uses(IDS, read("a"), written(), None, read("old"))) == []
    assert (2, "write", "c") in uses(IDS, read("a"), None, written("a"), read("c"))


def test_a_read_of_the_same_id_leaves_a_write_open() -> None:
    assert (1, "write", "b") in uses(IDS, read("a"), written(), read("a"), read("b"))


def test_the_first_version_that_a_creating_statement_loads_is_its_own() -> None:
    assert uses(COUNTED, written("0", "0", creates="0")) == [(0, "write", "0")]


def test_the_version_that_a_definition_loads_after_its_commit_is_its_own() -> None:
    assert uses(COUNTED, read("9"), written("10")) == [(0, "read", "9"), (1, "write", "10")]


def test_the_last_of_several_writes_made_a_number_that_was_not_loaded_before() -> None:
    assert writes(uses(IDS, read("1"), written(), written(), read("3"), written(), read("4"))) == [
        (2, "write", "3"),
        (4, "write", "4"),
    ]


def test_a_statement_that_writes_a_table_twice_makes_two_versions() -> None:
    twice = TableAccess(writes=True, commits=2)
    assert writes(uses(COUNTED, read("4"), twice, written())) == [(1, "write", "6"), (2, "write", "7")]


def test_versions_after_a_truncation_are_unknown_until_a_statement_loads_one() -> None:
    truncated = TableAccess(may_write=True)
    assert writes(uses(COUNTED, read("3"), written(), truncated, written())) == [(1, "write", "4")]
    assert writes(uses(COUNTED, read("3"), truncated, read("4"), written())) == [(3, "write", "5")]


def test_a_sink_loads_the_version_that_it_changes_and_reads_none() -> None:
    sink = TableAccess(found=["3"], writes=True)
    sink.change_loaded()
    assert uses(COUNTED, read("3"), sink) == [(0, "read", "3"), (1, "write", "4")]
    late = written("3")
    late.change_loaded()
    assert late.found == ["3"]


def test_a_clone_that_may_replace_its_target_makes_the_first_version_if_no_other_one_is_known() -> None:
    clone = TableAccess(found=["0"], writes=True, first="0", is_late=True)
    assert uses(COUNTED, clone) == [(0, "write", "0")]
    assert writes(uses(COUNTED, read("0"), clone)) == [(1, "write", "1")]
    assert uses(COUNTED, TableAccess(writes=True, first="0")) == []


def test_an_append_without_rows_is_unknown_and_so_is_what_follows_until_a_version_is_loaded() -> None:
    nothing = TableAccess(writes=True, may_write=True)
    assert uses(COUNTED, read("4"), nothing, written(), read("5"), written()) == [
        (0, "read", "4"),
        (2, "write", "5"),
        (3, "read", "5"),
        (4, "write", "6"),
    ]
    assert uses(COUNTED, read("4"), written(), nothing, written()) == [(0, "read", "4"), (1, "write", "5")]


def test_an_append_without_rows_reads_what_it_loads_before() -> None:
    assert uses(COUNTED, TableAccess(found=["4", "4"], writes=True, may_write=True)) == [(0, "read", "4")]
    assert uses(COUNTED, TableAccess(found=["4"], writes=True, may_write=True, is_late=True)) == []


def test_what_an_append_to_a_table_of_unknown_version_loads_late_is_neither_read_nor_surely_made() -> None:
    append = TableAccess(found=["10", "10"], writes=True, is_late=True, is_only_late=True)
    assert uses(COUNTED, append, read("10")) == [(0, "write", "10"), (1, "read", "10")]
    assert uses(COUNTED, append, written()) == []


def test_the_first_id_of_a_branched_table_may_be_older_than_a_write_into_its_branch() -> None:
    versions = TableVersions()
    versions.branch("shop.orders")
    found = [*versions.add(1, IDS, written()), *versions.add(2, IDS, read("a"))]
    assert [each.direction for each in found] == ["read"]
    later = [*versions.add(3, IDS, written()), *versions.add(4, IDS, read("b"))]
    assert (3, "write", "b") in [(each.execution_id, each.direction, each.snapshot_id) for each in later]


def test_an_old_version_that_a_stream_loads_refutes_no_write() -> None:
    streamed = TableAccess(found=["0"], is_streamed=True)
    found = uses(COUNTED, read("0"), written(), streamed, written())
    assert found == [(0, "read", "0"), (1, "write", "1"), (2, "read", "0"), (3, "write", "2")]
