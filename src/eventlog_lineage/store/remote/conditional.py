"""Objects that are replaced only if nobody else did: the two that change, `current` and `lock`.

Object storage compares tags: S3 the ETag (`If-Match`, `If-None-Match: *` for a new object), Google Cloud Storage the
generation (`ifGenerationMatch`), Azure the ETag. HDFS has no such condition, but a rename that does not overwrite is
atomic there: each content is a file of its own, `current.8`, and the highest number is the one that counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote
from uuid import uuid4

_TRIES = 5
_KEPT = 20
"""Older contents that stay on HDFS: a writer that is late by fewer finds its number taken."""

_NUMBERED = re.compile(r"\.([0-9]{1,15})", re.ASCII)

_REFUSED = re.compile(
    r"PreconditionFailed|ConditionalRequestConflict|ConditionNotMet|UpdateConditionNotSatisfied|BlobAlreadyExists"
    r"|pre-?conditions? (?:you|given|specified|is not met)|not met|\b412\b",
    re.IGNORECASE,
)


class ConflictError(Exception):
    """Another writer has changed the object."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """The content of an object.

    Attributes:
        content: Its bytes.
        tag: What names this content of the object; `write` compares it.
    """

    content: bytes
    tag: str


class Conditional(Protocol):
    """Reads and replaces one object."""

    def read(self, path: str) -> Tagged | None:
        """Return the content of an object; None if it does not exist."""

    def latest(self, path: str) -> bytes | None:
        """Return the content of an object without its tag; None if it does not exist."""

    def write(self, path: str, content: bytes, tag: str | None) -> None:
        """Replace an object if its content is the one that a tag names, or create it.

        Args:
            path: The object.
            content: Unique: no writer writes the same bytes twice.
            tag: The tag; None to create the object.

        Raises:
            ConflictError: The object has another tag, or exists.
        """


@dataclass(frozen=True, slots=True)
class TaggedObjects:
    """Object storage.

    Attributes:
        filesystem: fsspec's.
        tag_name: The key of the tag in fsspec's details of an object.
        put: Writes `(path, content, tag)` under the condition.
    """

    filesystem: Any
    tag_name: str
    put: Callable[[Any, str, bytes, str | None], None]

    def read(self, path: str) -> Tagged | None:
        """See `Conditional`."""
        try:
            for _ in range(_TRIES):
                before = self._tag(path)
                content = bytes(self.filesystem.cat_file(path))
                if self._tag(path) == before:
                    return Tagged(content, before)
        except FileNotFoundError:
            return None
        raise ConflictError(path)

    def latest(self, path: str) -> bytes | None:
        """See `Conditional`."""
        try:
            return bytes(self.filesystem.cat_file(path))
        except FileNotFoundError:
            return None

    def write(self, path: str, content: bytes, tag: str | None) -> None:
        """See `Conditional`; a write whose answer was lost is refused when it is repeated, and still succeeded.

        Args:
            path: The object.
            content: Unique.
            tag: The tag; None to create the object.

        Raises:
            ConflictError: Another writer has replaced the object.
        """
        try:
            self.put(self.filesystem, path, content, tag)
        except Exception as error:
            if not _is_refusal(error, tag):
                raise
            found = self.read(path)
            if found is None or found.content != content:
                raise ConflictError(path) from error

    def _tag(self, path: str) -> str:
        return str(self.filesystem.info(path, refresh=True)[self.tag_name])


@dataclass(frozen=True, slots=True)
class NumberedFiles:
    """HDFS.

    Attributes:
        filesystem: fsspec's, of `hdfs-native`.
    """

    filesystem: Any

    def read(self, path: str) -> Tagged | None:
        """See `Conditional`."""
        numbers = self._numbers(path)
        if not numbers:
            return None
        return Tagged(bytes(self.filesystem.cat_file(f"{path}.{numbers[-1]}")), str(numbers[-1]))

    def latest(self, path: str) -> bytes | None:
        """See `Conditional`."""
        found = self.read(path)
        return found.content if found else None

    def write(self, path: str, content: bytes, tag: str | None) -> None:
        """See `Conditional`.

        Args:
            path: The object.
            content: Unique.
            tag: The number of the content that is replaced; None to create the object.

        Raises:
            ConflictError: Another writer has replaced the content.
        """
        numbers = self._numbers(path)
        if (str(numbers[-1]) if numbers else None) != tag:
            raise ConflictError(path)
        number = int(tag or 0) + 1
        written = f"{path}.{uuid4().hex}.partial"
        self.filesystem.pipe_file(written, content)
        try:
            self.filesystem.mv(written, f"{path}.{number}", overwrite=False)
        except Exception as error:
            self.filesystem.rm_file(written)
            if number in self._numbers(path):
                raise ConflictError(path) from error
            raise
        newer = self._numbers(path)
        if newer[-1] > number + _KEPT:  # the number was free because it was removed
            raise ConflictError(path)
        for old in newer[:-_KEPT]:
            self.filesystem.rm_file(f"{path}.{old}")

    def _numbers(self, path: str) -> list[int]:
        folder, _, name = path.rpartition("/")
        try:
            found = self.filesystem.ls(folder, detail=False)
        except FileNotFoundError:
            return []
        suffixes = (each.rpartition("/")[2].removeprefix(name) for each in found if f"/{name}." in each)
        return sorted(int(match[1]) for suffix in suffixes if (match := _NUMBERED.fullmatch(suffix)))


def conditional(protocol: str, filesystem: Any) -> Conditional:
    """Return how objects of a storage are replaced.

    Args:
        protocol: The canonical scheme.
        filesystem: fsspec's file system.
    """
    if protocol == "hdfs":
        return NumberedFiles(filesystem)
    tag_name, put = {"s3": ("ETag", _put_s3), "gs": ("generation", _put_gs), "abfss": ("etag", _put_abfss)}[protocol]
    return TaggedObjects(filesystem, tag_name, put)


def wrong_tag(protocol: str) -> str:
    """Return a tag that no object of a storage has, to find out whether it compares tags."""
    return {"gs": "1", "abfss": '"0x1"'}.get(protocol, f'"{"0" * 32}"')


def _put_s3(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    bucket, key, _ = filesystem.split_path(path)
    condition = {"IfNoneMatch": "*"} if tag is None else {"IfMatch": tag}
    filesystem.call_s3("put_object", Bucket=bucket, Key=key, Body=content, **condition)


def _put_gs(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    bucket, key, *_ = filesystem.split_path(path)
    filesystem.call(
        "POST",
        f"{filesystem._location}/upload/storage/v1/b/{quote(bucket)}/o",
        uploadType="multipart",
        ifGenerationMatch=tag or "0",
        headers={"Content-Type": 'multipart/related; boundary="==0=="'},
        data=b"--==0==\nContent-Type: application/json; charset=UTF-8\n\n"
        + json.dumps({"name": key}).encode()
        + b"\n--==0==\nContent-Type: application/json\n\n"
        + content
        + b"\n--==0==--",
        json_out=True,
    )


def _put_abfss(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    if tag is None:
        filesystem.pipe_file(path, content, overwrite=False)
        return
    from azure.core import MatchConditions  # noqa: PLC0415 - the client of Azure installs it

    filesystem.pipe_file(path, content, overwrite=True, etag=tag, match_condition=MatchConditions.IfNotModified)


def _is_refusal(error: BaseException, tag: str | None) -> bool:
    """Return whether a storage refused a write because of its condition; an object that is gone has no tag either.

    Args:
        error: The error of the write.
        tag: The tag that the object was expected to have; None for an object that must not exist.
    """
    if isinstance(error, FileExistsError) or (isinstance(error, FileNotFoundError) and tag is not None):
        return True
    words = f"{type(error).__name__} {error} {error.__cause__ or ''}"
    return _REFUSED.search(words) is not None
