"""A harvest from a notebook or a scheduled job, the lineage of one log, and the page of some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import DOCS, LogError, UsageError
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from typing_extensions import Unpack

    from eventlog_lineage.declarations import Declarations
    from eventlog_lineage.harvest.options import HarvestOptions
    from eventlog_lineage.harvest.run import HarvestResult

AnyPath = str | PathLike[str]


def harvest(
    sources: AnyPath | Sequence[AnyPath],
    store: AnyPath,
    *,
    spark: SparkSession | None = None,
    **options: Unpack[HarvestOptions],
) -> HarvestResult:
    """Read the event logs that are new or have grown, and update a store.

    Args:
        sources: Logs, folders, globs, URIs or History Servers' addresses; one or several.
        store: The store's folder, on a disk of the driver, or its URL on object storage or HDFS.
        spark: The session to run on (a notebook, Databricks, a scheduled PySpark job); it keeps running. None for the
            session that runs in this process, else for a local one that ends with the harvest.
        options: Fields of `harvest.options.HarvestOptions`: `keep_days=90`, `strict=True`, `redact=("[0-9]{16}",)` …

    Returns:
        What was read, found and not readable; `result.unreadable` lists logs that could not be read.

    Raises:
        UsageError: A source or an option is wrong, or the session is a Spark Connect client.
        StoreError: The store is locked, damaged or of another version.
        SparkStartError: Spark does not start.
    """
    from eventlog_lineage.harvest.options import HarvestOptions  # noqa: PLC0415 - questions need none of it
    from eventlog_lineage.harvest.run import harvest  # noqa: PLC0415

    if spark is not None:
        _check_session(spark)
    named = [sources] if isinstance(sources, str | PathLike) else list(sources)
    unknown = sorted(options.keys() - HarvestOptions.__annotations__.keys())
    if unknown:
        raise UsageError(f"unknown option {unknown[0]!r}", hint=f"{DOCS}/library.md lists the options of harvest")
    return harvest([str(each) for each in named], fspath(store), options)


def declare(files: AnyPath | Sequence[AnyPath], store: AnyPath) -> Declarations:
    """Declare owners, descriptions, exposures, tags and edges, in place of those that a store has.

    Args:
        files: TOML files, CSV files of edges, dbt's `manifest.json` or `schema.yml`; none to drop all declarations.
        store: The store's folder or URL; it has been harvested into.

    Returns:
        What the files declare.

    Raises:
        UsageError: A file cannot be read, or has an invalid value.
        StoreError: There is no store, or it is locked, damaged or of another version.
    """
    from eventlog_lineage.declarations import read_files  # noqa: PLC0415 - explain needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
    from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest  # noqa: PLC0415

    named = [files] if isinstance(files, str | PathLike) else list(files)
    declared = read_files([fspath(each) for each in named])
    with open_store(fspath(store)):
        pass  # a store that is not there is not made
    with open_for_harvest(fspath(store)) as writer:
        writer.publish(HarvestFacts(datetime.now(timezone.utc).replace(tzinfo=None)), declared=declared)
    return declared


def _check_session(spark: SparkSession) -> None:
    """Check that a session has the driver's context, which the harvest runs on.

    Raises:
        UsageError: It is a Spark Connect client (`pyspark.sql.connect`, 3.4 and later), or it was stopped.
    """
    from pyspark import SparkContext  # noqa: PLC0415 - questions need no Spark

    if "connect" in type(spark).__module__:
        raise UsageError(
            "a Spark Connect session cannot run a harvest",
            hint="use a classic session, `harvest --master`, or spark-submit",
        )
    if SparkContext._active_spark_context is None:
        raise UsageError("the Spark session is stopped", hint="start it again")


def explain(log: AnyPath) -> Iterator[TracedStatement]:
    """Trace the statements of one log, without Spark and without a store.

    Args:
        log: An event log, or a rolling log's folder.

    Yields:
        The statements in order: `statement.root.description`, `statement.lineage.edges`, `.accesses`, `.gaps` …

    Raises:
        UsageError: The path has no log, or several.
        LogError: The log cannot be read at all.
    """
    logs = list(find_logs([str(log)]))
    if len(logs) != 1:
        raise UsageError(f"explain takes one log, found {len(logs)}", str(log), "name one of them")
    assembled = read_log(logs[0], ReadOptions())
    if assembled.state == "unreadable":
        raise LogError(assembled.error, logs[0].path)
    yield from trace_log(assembled)


def show(logs: AnyPath | Sequence[AnyPath], out: AnyPath = "lineage.html", *, focus: str | None = None) -> Path:
    """Write some logs as one HTML page, without a store, Spark or Java.

    Args:
        logs: Logs, folders, globs; one or several.

    Returns:
        The file.

    Raises:
        UsageError: The paths have no log, or the focus means nothing in them.
        LogError: None of the logs can be read.
    """
    from eventlog_lineage.harvest.run import temporary_store  # noqa: PLC0415 - questions need none of it
    from eventlog_lineage.report.write import write_report  # noqa: PLC0415

    named = [logs] if isinstance(logs, str | PathLike) else list(logs)
    with temporary_store([str(each) for each in named], {}) as (store, _):
        return write_report(store, fspath(out), focus=focus).path
