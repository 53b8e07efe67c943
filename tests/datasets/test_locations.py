"""`Location` fields in all forms that Spark prints."""

from __future__ import annotations

import pytest

from eventlog_lineage.datasets.naming import Location, read_location

FORMS = [
    ("InMemoryFileIndex [file:/a]", ("file:/a",), 0),
    ("InMemoryFileIndex [file:/a, ... 2 entries]", ("file:/a",), 2),
    ("InMemoryFileIndex [file:/a, file:/b, ... 2 entries]", ("file:/a", "file:/b"), 2),
    ("InMemoryFileIndex[file:/a, s3a://lake/b]", ("file:/a", "s3a://lake/b"), 0),
    ("InMemoryFileIndex(2 paths)[file:/a, file:/b, c]", ("file:/a", "file:/b, c"), 0),
    ("InMemoryFileIndex(4 paths)[file:/a, file:/b, ...]", ("file:/a", "file:/b"), 2),
    ("InMemoryFileIndex(4 paths)[file:/a, file:/b...", ("file:/a",), 3),
    ("InMemoryFileIndex[file:/a, file:/b, f...", ("file:/a", "file:/b"), None),
    ("InMemoryFileIndex[file:/a/long/pa...", (), None),
    ("", (), 0),
]


@pytest.mark.parametrize(("text", "paths", "missing"), FORMS, ids=[text for text, _, _ in FORMS])
def test_a_location_has_the_paths_that_are_printed_whole(
    text: str, paths: tuple[str, ...], missing: int | None
) -> None:
    location = read_location(text)
    assert (location.paths, location.missing) == (paths, missing)


def test_a_location_prints_as_in_formatted_text() -> None:
    text = "InMemoryFileIndex [file:/a, file:/b, ... 2 entries]"
    assert str(read_location(text)) == text
    assert str(Location("TahoeLogFileIndex", ("file:/a",))) == "TahoeLogFileIndex [file:/a]"
