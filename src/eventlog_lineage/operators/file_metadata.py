"""The hidden columns of files: `SELECT _metadata.file_name FROM t`.

Source: `FileFormat.METADATA_NAME`, `FileSourceStrategy` of Spark 3.2 to 4.3. A scan outputs the requested fields under
their own names, after the columns of its `ReadSchema`; the operator above puts them together:
`named_struct(file_name, file_name#52, row_index, row_index#57L) AS _metadata#23`.
"""

from __future__ import annotations

from collections.abc import Collection

_METADATA = "_metadata"
ROW_INDEX = "row_index"
TEMPORARY_ROW_INDEX = "_tmp_metadata_row_index"
"""The name of `row_index` in a scan (`FileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME`, 3.4 to 4.3), under the same id."""

_FIELDS = frozenset(
    """
    file_path file_name file_size file_block_start file_block_length file_modification_time
    """.split()
)


def metadata_column(name: str, schema: Collection[str]) -> str | None:
    """Return the column of a dataset's files that an output attribute of a scan is; None for a column of the dataset.

    Args:
        name: The attribute's name.
        schema: The columns that the scan reads from the files, in lower case.

    >>> metadata_column("file_name", {"id"}), metadata_column("file_name", {"id", "file_name"})
    ('_metadata.file_name', None)
    """
    if name == TEMPORARY_ROW_INDEX:
        return f"{_METADATA}.{ROW_INDEX}"
    return f"{_METADATA}.{name}" if name in _FIELDS and name not in schema else None
