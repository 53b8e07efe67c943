"""The archive of Spark's classes, for Java processes that tests start without the program."""

from __future__ import annotations

from functools import cache

from eventlog_lineage.harvest.spark import session
from eventlog_lineage.harvest.spark.session import find_java
from eventlog_lineage.store.remote.storage import cache_folder
from support.processes import SHORT_LIVED


@cache
def short_lived() -> str:
    """Return the options of a Java that lives for seconds, with the archive of an earlier harvest, if there is one.

    A Java that maps its classes takes half a second less of the processors to start. Java goes on without an archive
    that does not fit it.
    """
    java, _ = find_java()
    try:
        file = cache_folder() / session._FOLDER / f"{session._key(java, {})}.jsa"
        archive = file if file.exists() else None
    except OSError:
        archive = None
    return f"{SHORT_LIVED} -XX:SharedArchiveFile={archive}" if archive and " " not in str(archive) else SHORT_LIVED
