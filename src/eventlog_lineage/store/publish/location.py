"""Where a store is: a local folder, or a URL of object storage or HDFS."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.remote.address import SCHEME, remote_url


def store_name(store_dir: str | Path) -> str:
    """Return the canonical name of a store, as a user writes it: a path or a URL.

    Raises:
        UsageError: The URL is not supported.
    """
    return remote_url(store_dir) or str(store_folder(store_dir))


def store_folder(store_dir: str | Path) -> Path:
    """Return the folder of a local store, as a user writes it: a path, or a `file:` URI.

    Raises:
        UsageError: It is the URL of another file system.
    """
    text = str(store_dir)
    scheme = SCHEME.match(text)
    if scheme is None:
        return Path(store_dir)
    uri = urlsplit(text)
    if scheme[1].lower() == "file" and uri.netloc in {"", "localhost"}:
        return Path(unquote(uri.path))
    raise UsageError(f"a store on {scheme[1]} is not a local folder", text, "name a folder with --store")
