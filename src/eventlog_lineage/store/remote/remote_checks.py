"""Check a store on object storage or HDFS for `doctor`; writes nothing to it."""

from __future__ import annotations

from collections.abc import Iterator

from eventlog_lineage.errors import LineageError
from eventlog_lineage.model import Check
from eventlog_lineage.store.integrity.store_checks import check_disk

from .cache import cache_of
from .current import CURRENT_KEY, read_current
from .lease import other_holder
from .storage import Storage


def check_remote_store(url: str) -> Iterator[Check]:
    """Yield the lines about a store: its state, its lock, and the disk of its cache.

    Args:
        url: The store's canonical URL.
    """
    try:
        storage = Storage(url)
        content = storage.read_latest(CURRENT_KEY)
        version = read_current(content, url).version if content is not None else 0
        if version:
            yield Check("store", "ok", f"{url}: version {version}")
        else:
            yield Check("store", "warning", f"no store in {url}", "the first harvest makes it")
        if holder := other_holder(storage):
            hint = "another harvest is refused meanwhile; wait until it has ended"
            yield Check("store's lock", "warning", f"a harvest is writing: {holder}", hint)
        yield check_disk(cache_of(url), "store's cache")
    except LineageError as error:
        detail = error.what if error.where in ("", url) else f"{error.what} ({error.where})"
        yield Check("store", "failed", f"{url}: {detail}", error.hint)
