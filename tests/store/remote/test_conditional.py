"""Replacing an object only if nobody else did, on storages that compare tags and on those that only rename."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.local import LocalFileSystem

from eventlog_lineage.store.remote.storage import ConflictError, NumberedFiles, TaggedObjects


class RenamingFiles(LocalFileSystem):  # type: ignore[misc]
    """A disk whose renames do not overwrite, as HDFS's."""

    cachable = False

    def mv(self, path1: str, path2: str, **options: Any) -> None:
        """Rename atomically."""
        assert options == {"overwrite": False}
        os.link(path1, path2)
        Path(path1).unlink()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "current")


def test_on_hdfs_one_of_two_writers_creates_and_one_of_two_replaces(path: str) -> None:
    files = NumberedFiles(RenamingFiles())
    assert files.read(path) is None
    assert files.latest(path) is None
    files.write(path, b"one", None)
    with pytest.raises(ConflictError):
        files.write(path, b"other", None)
    first = files.read(path)
    assert first is not None
    files.write(path, b"two", first.tag)
    with pytest.raises(ConflictError):
        files.write(path, b"late", first.tag)
    assert files.latest(path) == b"two"


def test_on_hdfs_a_writer_that_looked_before_another_one_wrote_is_refused(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = NumberedFiles(RenamingFiles())
    files.write(path, b"one", None)
    rename = RenamingFiles.mv

    def overtaken(self: RenamingFiles, path1: str, path2: str, **options: Any) -> None:
        Path(path2).write_bytes(b"faster")
        rename(self, path1, path2, **options)

    monkeypatch.setattr(RenamingFiles, "mv", overtaken)
    with pytest.raises(ConflictError):
        files.write(path, b"slower", "1")
    assert files.latest(path) == b"faster"
    assert sorted(file.name for file in Path(path).parent.iterdir()) == ["current.1", "current.2"]


def test_on_hdfs_old_contents_are_removed_and_a_writer_from_then_is_refused(path: str) -> None:
    files = NumberedFiles(RenamingFiles())
    for number in range(60):
        files.write(path, str(number).encode(), str(number) if number else None)
    assert len(list(Path(path).parent.iterdir())) == 20
    assert files.latest(path) == b"59"
    for tag in (None, "1", "30", "59"):
        with pytest.raises(ConflictError):
            files.write(path, b"late", tag)


class Objects:
    """An object with a tag for each content."""

    def __init__(self) -> None:
        self.contents: list[bytes] = []

    def info(self, path: str, refresh: bool) -> dict[str, str]:
        """Return its tag."""
        if not self.contents:
            raise FileNotFoundError(path)
        return {"ETag": str(len(self.contents))}

    def cat_file(self, path: str) -> bytes:
        """Return its content."""
        if not self.contents:
            raise FileNotFoundError(path)
        return self.contents[-1]


def put(objects: Objects, path: str, content: bytes, tag: str | None) -> None:
    if (str(len(objects.contents)) if objects.contents else None) != tag:
        raise OSError(22, "At least one of the pre-conditions you specified did not hold")
    objects.contents.append(content)


def test_a_write_with_an_old_tag_is_a_conflict(path: str) -> None:
    objects = TaggedObjects(Objects(), "ETag", put)
    objects.write(path, b"one", None)
    with pytest.raises(ConflictError):
        objects.write(path, b"other", None)
    objects.write(path, b"two", "1")
    with pytest.raises(ConflictError):
        objects.write(path, b"late", "1")
    assert objects.latest(path) == b"two"


def test_a_write_whose_answer_was_lost_and_that_was_repeated_has_succeeded(path: str) -> None:
    def repeated(objects: Objects, path: str, content: bytes, tag: str | None) -> None:
        put(objects, path, content, tag)
        put(objects, path, content, tag)

    objects = TaggedObjects(Objects(), "ETag", repeated)
    objects.write(path, b"one", None)
    assert objects.latest(path) == b"one"


def test_an_error_that_is_not_a_conflict_stays_what_it_is(path: str) -> None:
    def denied(objects: Objects, path: str, content: bytes, tag: str | None) -> None:
        raise PermissionError("Access Denied")

    with pytest.raises(PermissionError):
        TaggedObjects(Objects(), "ETag", denied).write(path, b"one", None)
