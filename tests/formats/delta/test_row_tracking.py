"""The columns by which Delta tracks rows are metadata, not columns of the table."""

from __future__ import annotations

from eventlog_lineage.formats.delta.rewritten_rows import row_tracking

KEY = "_row-id-col-43f9d625-94d2-4e25-9095-d377174c6752"
VERSION = "_row-commit-version-col-48eceb07-23b1-488c-8922-b527712611b8"


def test_the_parts_of_a_row_id_are_the_row_id() -> None:
    assert row_tracking(["id", "_tmp_metadata_row_index", KEY, "base_row_id"]) == {
        "_tmp_metadata_row_index": "_metadata.row_id",
        KEY: "_metadata.row_id",
        "base_row_id": "_metadata.row_id",
    }


def test_the_parts_of_a_row_version_are_the_row_version() -> None:
    assert row_tracking([VERSION, "default_row_commit_version"]) == {
        VERSION: "_metadata.row_commit_version",
        "default_row_commit_version": "_metadata.row_commit_version",
    }


def test_a_position_without_row_ids_and_a_column_of_the_user_are_left_alone() -> None:
    assert row_tracking(["id", "_tmp_metadata_row_index", "base_row_id", "row_index"]) == {}
