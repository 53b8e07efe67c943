"""The address of a store that is not in a local folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from eventlog_lineage.errors import DOCS, UsageError

EXTRAS: Mapping[str, str] = {"s3": "s3", "gs": "gcs", "abfss": "azure", "hdfs": "hdfs"}
"""Canonical scheme to the extra of this package that installs its client."""

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def remote_url(store: str | Path) -> str | None:
    """Return the canonical URL of a store on object storage or HDFS; None for a local folder.

    `s3a` and `s3n` are `s3`, `abfs` is `abfss`. One slash after the scheme is enough: `Path` removes the other one.

    Args:
        store: As a user writes it.

    Raises:
        UsageError: The scheme is not supported, no bucket is named, or the URL has a password.
    """
    text = str(store)
    match = SCHEME.match(text)
    if match is None or match[1].lower() == "file":
        return None
    from eventlog_lineage.events.sources.remote_files import BACKENDS  # noqa: PLC0415 - local stores open without them
    from eventlog_lineage.redaction import without_users  # noqa: PLC0415

    backend = BACKENDS.get(match[1].lower())
    if backend is None or backend.scheme not in EXTRAS:
        raise UsageError(
            f"a store cannot be on {match[1]}",
            without_users(text),
            "name a folder, or a URL that begins with s3://, s3a://, gs://, abfss:// or hdfs://",
        )
    rest = text[match.end(1) + 1 :].rstrip("/")
    has_default = backend.scheme == "hdfs"  # a name node that Hadoop's configuration names
    if not (has_default and rest.startswith("//")):
        rest = f"//{rest}" if has_default else "//" + rest.lstrip("/")
    authority = rest[2:].partition("/")[0]
    if not authority and not has_default:
        raise UsageError("the URL of the store names no bucket", text, f"use {backend.scheme}://BUCKET/FOLDER")
    if "@" in authority and backend.scheme != "abfss":
        raise UsageError(
            "the URL of the store has a user or a password",
            without_users(text),
            f"give credentials in the environment; {DOCS}/object-storage.md lists the variables",
        )
    return f"{backend.scheme}:{rest}"
