"""The paths of a scan: `InMemoryFileIndex(3 paths)[file:/a, file:/b, ...]`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_LOCATION = re.compile(r"(?P<file_index>[^\[(]*?)(?:\((?P<total>\d+) paths\))? ?\[(?P<paths>.*)", re.DOTALL)
_ENTRIES = re.compile(r", \.\.\. (\d+) entries\Z")
_NEXT_PATH = re.compile(r", (?=[A-Za-z][\w+.-]*:/)")
_DOTS = "..."
_LIMIT = 100
"""The default of `spark.sql.maxMetadataStringLength`."""


class Location(NamedTuple):
    """A `Location` field.

    Attributes:
        file_index: The class of the file index; empty for a text without one.
        paths: The root paths that are printed whole.
        missing: The number of the others; None if Spark truncated the list before their number, or may have.
    """

    file_index: str
    paths: tuple[str, ...]
    missing: int | None = 0

    @property
    def first(self) -> str:
        """The first path; empty if none is printed."""
        return self.paths[0] if self.paths else ""

    @property
    def is_whole(self) -> bool:
        """Whether all paths are printed."""
        return self.missing == 0

    def of_v2(self, text: str) -> Location:
        """Return the location of a V2 scan, whose list of paths Spark 3.1 neither counts nor marks as truncated.

        Others may follow a path with which the list has as many characters as it may have.
        """
        length = len(f"[{', '.join(self.paths)}")
        before = length - len(f", {self.paths[-1]}") if self.paths else length
        is_uncounted = len(self.paths) > 1 and " paths)[" not in text
        return self._replace(missing=None) if is_uncounted and before < _LIMIT <= length else self

    def __str__(self) -> str:
        others = f", ... {self.missing} entries" if self.missing else ""
        return f"{self.file_index} [{', '.join(self.paths)}{others}]"


def read_location(text: str) -> Location:
    """Read a `Location` field in each form that Spark prints.

    The details of `FileSourceScanExec` have the first path, `[file:/a, ... 2 entries]`. Metadata have all paths up to
    3.0 (`DataSourceScanExec`), later those within `spark.sql.maxMetadataStringLength`: `(3 paths)[file:/a, ...]`
    (`Utils.buildLocationMetadata`, 3.1+). Tree strings abbreviate that again: `[file:/a, file:/b/c...`.

    >>> read_location("InMemoryFileIndex [file:/a, ... 2 entries]")
    Location(file_index='InMemoryFileIndex', paths=('file:/a',), missing=2)
    >>> read_location("InMemoryFileIndex(3 paths)[file:/a, file:/b, ...]")
    Location(file_index='InMemoryFileIndex', paths=('file:/a', 'file:/b'), missing=1)
    >>> read_location("InMemoryFileIndex[file:/a, file:/b/c...")
    Location(file_index='InMemoryFileIndex', paths=('file:/a',), missing=None)
    """
    match = _LOCATION.fullmatch(text.strip())
    if match is None:
        return Location("", (text.strip(),) if text.strip() else ())
    listed = match["paths"].removesuffix("]")
    entries = _ENTRIES.search(listed)
    if entries:
        listed = listed[: entries.start()]
    paths = [path.strip() for path in _NEXT_PATH.split(listed)]
    is_cut = paths[-1].endswith(_DOTS)
    if is_cut:  # in a path, or in the beginning of one: `file:/b, fi...`
        paths[-1] = paths[-1].rpartition(", ")[0]
    paths = [path for path in paths if path]
    missing = int(entries[1]) if entries else _missing(match["total"], len(paths), is_cut=is_cut)
    return Location(match["file_index"].strip(), tuple(paths), missing)


def _missing(total: str | None, printed: int, *, is_cut: bool) -> int | None:
    if total is not None:
        return max(int(total) - printed, 0)
    return None if is_cut else 0


# -- files and folders that land one after the other, named by their date or their number, are one dataset

_NUMBERED = r"[-_.]?\d[\d_.:T-]*"
_SUFFIX = r"\.(?:jsonl?|ndjson|csv|tsv|psv|txt|xml|log|parquet|orc|avro)(?:\.(?:gz|bz2|zstd?|snappy|lz4|xz))?"
_NAME = r"(?:[A-Za-z]{0,2}|(?P=name))"
_DATE = (
    r"20\d\d(?:[-_][01]\d(?:[-_][0-3]\d)?|[01]\d[0-3]\d|/[01]\d(?:/[0-3]\d)?)"
    r"(?:[-_/T]?(?:[01]\d|2[0-3])(?:[-_.:]?[0-5]\d){0,2}Z?)?"
)
DEFAULT_LANDING_FILES = (
    rf"(?P<folder>.*?/(?P<name>[^/]+))/(?:{_DATE}(?:/{_NAME}(?:{_NUMBERED})?{_SUFFIX})?|{_NAME}{_NUMBERED}{_SUFFIX})"
)
"""`orders/n1.json`, `orders/2026-11-20.csv.gz`, `orders/orders_20261120.json`: at most two letters, or the folder's own
name, before the digits. `landing/orders_1.csv` next to `landing/customers_1.csv` are two datasets. Folders of dates:
`orders/2026-11-20`, `orders/2026/11/20`, `orders/20261120/04`, with such files in them."""


def landing_folder(location: str, rule: re.Pattern[str]) -> str | None:
    """Return the folder of a landing file; None for a path that the rule does not match.

    Args:
        rule: Matches the whole path; its group `folder` is the dataset.

    >>> rule = re.compile(DEFAULT_LANDING_FILES)
    >>> landing_folder("s3://lake/orders/2026-11-20.json.gz", rule)
    's3://lake/orders'
    >>> landing_folder("s3://lake/orders/2026/11/20", rule)
    's3://lake/orders'
    >>> landing_folder("s3://lake/landing/orders_1.csv", rule)
    """
    match = rule.fullmatch(location)
    return match["folder"] if match else None


_DEFAULT = re.compile(DEFAULT_LANDING_FILES)


def common_folder(names: Collection[str]) -> str | None:
    """Return the folder of several landing files or folders, by the default rule; None for other paths.

    >>> common_folder(["s3://lake/orders/2026-11-20", "s3://lake/orders/2026-11-21"])
    's3://lake/orders'
    """
    folders = {landing_folder(name, _DEFAULT) for name in names}
    return folders.pop() if len(names) > 1 and len(folders) == 1 else None
