"""What tables of Delta, Iceberg, Hudi and Paimon write down about their own snapshots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

_DELTA_COMMIT = re.compile(r"^(\d{20})\.json$")
_HUDI_COMMIT = re.compile(r"^(\d+)_(\d+)\.(?:commit|deltacommit|replacecommit)$")
_HUDI_OLD_COMMIT = re.compile(r"^(\d+)\.(?:commit|deltacommit|replacecommit)$")
_PAIMON_SNAPSHOT = re.compile(r"^snapshot-(\d+)$")
_ICEBERG_METADATA = re.compile(r"^(?:v?(\d+)(?:-[0-9a-f-]+)?)(?:\.gz)?\.metadata\.json$")


@dataclass(frozen=True, slots=True)
class Commit:
    """A snapshot of a table, as its own metadata tells it.

    Attributes:
        snapshot_id: As the format numbers it.
        committed_at: Epoch milliseconds.
        app_id: The Spark application that made it; empty where the format does not say.
        query_id: The streaming query that made it; empty otherwise.
        batch_id: Its micro-batch; None otherwise.
    """

    snapshot_id: str
    committed_at: int
    app_id: str = ""
    query_id: str = ""
    batch_id: int | None = None


def delta_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit]:
    """Delta's commits, from the files of `_delta_log`: `commitInfo` has the time, `txn` a stream's batch.

    Args:
        files: (name, content).
    """
    for name, content in files:
        match = _DELTA_COMMIT.match(name)
        if match is None:
            continue
        actions = [action for line in content.splitlines() if (action := _parsed(line))]
        info: Mapping[str, Any] = next((action["commitInfo"] for action in actions if "commitInfo" in action), {})
        stream: Mapping[str, Any] = next((action["txn"] for action in actions if "txn" in action), {})
        time = info.get("inCommitTimestamp") or info.get("timestamp")
        if isinstance(time, int):
            batch = stream.get("version")
            yield Commit(
                str(int(match[1])),
                time,
                query_id=str(stream.get("appId", "")),
                batch_id=batch if isinstance(batch, int) else None,
            )


def newest_metadata(names: Iterable[str]) -> str | None:
    """The newest of Iceberg's metadata files: `v12.metadata.json`, `00012-<uuid>.metadata.json`."""
    found = [(int(match[1]), name) for name in names if (match := _ICEBERG_METADATA.match(name))]
    return max(found)[1] if found else None


def iceberg_commits(content: bytes) -> Iterator[Commit]:
    """Iceberg's snapshots, from a metadata file: their summaries name the application and a stream's epoch."""
    metadata = _parsed(content)
    for snapshot in metadata.get("snapshots") or ():
        summary = snapshot.get("summary") or {}
        epoch = str(summary.get("spark.sql.streaming.epochId", ""))
        yield Commit(
            str(snapshot.get("snapshot-id")),
            int(snapshot.get("timestamp-ms", 0)),
            str(summary.get("spark.app.id", "")),
            str(summary.get("spark.sql.streaming.queryId", "")),
            int(epoch) if epoch.isdigit() else None,
        )


def hudi_commits(files: Iterable[tuple[str, int | None]]) -> Iterator[Commit]:
    """Hudi's instants, from the names in its timeline and the times at which the files were written.

    Args:
        files: (name, epoch milliseconds of the last change).
    """
    for name, modified_at in files:
        match = _HUDI_COMMIT.match(name) or _HUDI_OLD_COMMIT.match(name)
        if match and modified_at is not None:
            yield Commit(match[1], modified_at)


def paimon_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit]:
    """Paimon's snapshots, from the files of `snapshot`.

    A writer that also compacts leaves two snapshots: the second one is what the table has after it.

    Args:
        files: (name, content).
    """
    named = [(int(match[1]), content) for name, content in files if (match := _PAIMON_SNAPSHOT.match(name))]
    snapshots = [(number, _parsed(content)) for number, content in sorted(named)]
    for (number, snapshot), (_, following) in zip(snapshots, [*snapshots[1:], (0, {})], strict=True):
        time = snapshot.get("timeMillis")
        user = snapshot.get("commitUser")
        compacted = following.get("commitKind") == "COMPACT" and following.get("commitUser") == user is not None
        if isinstance(time, int) and not compacted:
            yield Commit(str(number), time)


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(content) if content.strip() else {}
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
