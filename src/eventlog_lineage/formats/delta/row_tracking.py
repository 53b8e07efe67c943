"""The columns by which Delta tracks rows (`delta.enableRowTracking`, 3.2 to 4.x): `_metadata.row_id`.

A scan reads the id of a rewritten row from a column of its own, `_row-id-col-<uuid>`, and makes the others of the
file's first id and the row's position: `coalesce(_row-id-col-<uuid>#1L, (base_row_id#2L + row_index#3L))`
(`GenerateRowIDs`). Versions of rows are the same, without a position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TRACKING_COLUMNS = (
    r"_row-id-col-[\w-]+",
    r"_row-commit-version-col-[\w-]+",
    "base_row_id",
    "default_row_commit_version",
)
"""Patterns of the columns that it adds to scans and to rewritten rows."""
_ROW_ID, _ROW_VERSION = re.compile(TRACKING_COLUMNS[0]), re.compile(TRACKING_COLUMNS[1])
_POSITIONS = frozenset({"base_row_id", "row_index", "_tmp_metadata_row_index"})


def row_tracking(names: Iterable[str]) -> Mapping[str, str]:
    """Return the attributes of a scan that make the id and the version of a row, and the metadata that they are.

    Args:
        names: The names of the scan's attributes.
    """
    known = tuple(names)
    found: dict[str, str] = {}
    if any(map(_ROW_ID.fullmatch, known)):
        ids = (name for name in known if name in _POSITIONS or _ROW_ID.fullmatch(name))
        found |= dict.fromkeys(ids, "_metadata.row_id")
    if any(map(_ROW_VERSION.fullmatch, known)):
        versions = (name for name in known if name == "default_row_commit_version" or _ROW_VERSION.fullmatch(name))
        found |= dict.fromkeys(versions, "_metadata.row_commit_version")
    return found
