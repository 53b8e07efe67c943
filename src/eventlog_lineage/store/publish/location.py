"""Where a store is: a local folder."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from eventlog_lineage.errors import UsageError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def store_folder(store_dir: str | Path) -> Path:
    """Return the folder of a store, as a user writes it: a path, or a `file:` URI.

    Raises:
        UsageError: It is an object store's, HDFS's or another remote file system's.
    """
    text = str(store_dir)
    scheme = _SCHEME.match(text)  # Path makes s3:/bucket of s3://bucket
    if scheme is None:
        return Path(store_dir)
    if scheme[1].lower() == "file":
        uri = urlsplit(text)
        if uri.netloc in {"", "localhost"}:
            return Path(unquote(uri.path))
    raise UsageError(
        f"a store cannot be on {scheme[1]}: it is a local folder",
        text,
        "name a folder with --store, and copy its .current folder to where readers are",
    )
