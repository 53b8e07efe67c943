"""Queries with which Spark infers the schema of CSV files, as lines of text: their column is none of the files'."""

from __future__ import annotations

import re

_WORD = "Scan text "
_CODEGEN = r"(?:\*(?:\(\d+\))? )?"
_SCAN = r"(?:File)?Scan text [^\n]*\n"
_FIRST_LINE = re.compile(
    rf"== Physical Plan ==\nCollectLimit [^\n]*\n\+- {_CODEGEN}Filter [^\n]*\n   \+- {_CODEGEN}{_SCAN}"
)
_NOT_EMPTY = re.compile(r"\(length\(trim\(value#\d+(?:, None)?\)\) > 0\)")
_ALL_LINES = re.compile(
    rf"== Physical Plan ==\n{_CODEGEN}DeserializeToObject [^\n]*\n"
    rf"\+- {_CODEGEN}(?:Sample [^\n]*\n   \+- {_CODEGEN})?{_SCAN}"
)
_OF_LINES = re.compile(r"value#\d+\.toString(?:\(\)\))?, obj#\d+: java\.lang\.String")
_FILE = re.compile(r"Location: InMemoryFileIndex[^\n\[]*\[[^\n]*/(?:part-\d+-[^\n/]*|[^\n/,]*\.\w+)(?:, |\]|\.\.\.)")


def infers_schema(physical: str) -> bool:
    """Return whether a physical plan reads the header of CSV files, or the lines from which their types are inferred.

    The first is `CSVUtils.filterCommentAndEmpty(…).take(1)` (2.3 to 4.3); the other, of `CSVInferSchema`, is an
    execution since 4.0. Spark lists the files of the folders that the user reads.
    """
    if _WORD not in physical:
        return False
    if _FIRST_LINE.match(physical):
        return _NOT_EMPTY.search(physical) is not None
    is_of_lines = _ALL_LINES.match(physical) is not None and _OF_LINES.search(physical) is not None
    return is_of_lines and _FILE.search(physical) is not None
