"""How a harvest went, for machines: metrics for Prometheus, a summary as JSON, a message to a webhook."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.output_file import replaced

if TYPE_CHECKING:
    from eventlog_lineage.harvest.run import HarvestResult

LATE = 2.0
"""Times the usual (or declared) time between two writes after which a dataset counts as late."""

_MOST_NAMED = 10
_SECONDS = 10

_METRICS = {
    "success": "1 if the last harvest is done, 0 if it failed",
    "timestamp_seconds": "End of the last harvest, in seconds since 1970",
    "duration_seconds": "Duration of the last harvest",
    "logs_seen": "Logs at the sources",
    "logs_read": "Logs that were new or had grown",
    "logs_failed": "Logs that could not be read",
    "bytes_read": "Bytes read from logs",
    "executions": "SQL executions found",
    "edges": "Distinct edges found",
    "gaps": "Gaps found",
    "failed_jobs": "Jobs of the store whose last write failed",
    "late_datasets": "Datasets of the store that are more than twice overdue",
}


@dataclass(frozen=True, slots=True)
class Health:
    """What is wrong in a store.

    Attributes:
        failed: Jobs whose last write failed, each with its error in one line.
        late: Datasets that are late.
    """

    failed: tuple[tuple[str, str], ...] = ()
    late: tuple[str, ...] = ()


def read_health(store_dir: str) -> Health:
    """Return what is wrong in a store."""
    from eventlog_lineage.library.answers import open_store  # noqa: PLC0415 - help needs none of it

    with open_store(store_dir) as store:
        failed = {str(row["job_name"]): str(row["error"] or "") for row in store.failures().records()}
        late = [str(row["dataset"]) for row in store.late().records() if float(str(row["times_usual"])) >= LATE]
    return Health(tuple(failed.items()), tuple(late))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a harvest ended.

    Attributes:
        summary: The summary as `--json` prints it; empty if the harvest failed.
        error: Why it failed, in one line; empty if it is done.
        health: What is wrong in the store.
    """

    summary: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    health: Health = Health()

    def metrics(self) -> Iterator[str]:
        """Yield the lines of a Prometheus textfile; of a harvest that failed, only that it did."""
        values: dict[str, object] = {"success": int(not self.error), "timestamp_seconds": int(time.time())}
        if not self.error:
            values |= {name: self.summary[name] for name in _METRICS if name in self.summary}
            values |= {"failed_jobs": len(self.health.failed), "late_datasets": len(self.health.late)}
        for name, value in values.items():
            yield f"# HELP eventlog_lineage_harvest_{name} {_METRICS[name]}."
            yield f"# TYPE eventlog_lineage_harvest_{name} gauge"
            yield f"eventlog_lineage_harvest_{name} {value}"

    def troubles(self, most_gaps: int | None) -> list[str]:
        """Return what somebody should know, a line each; none if all went well.

        Args:
            most_gaps: Gaps up to which nobody need know; None for any number.
        """
        if self.error:
            return [f"harvest failed: {self.error}"]
        unreadable = [f"{each['log_path']}: {each['error']}" for each in self.summary.get("unreadable", ())]
        lines = [*_listed("log cannot be read", "logs cannot be read", unreadable)]
        gaps = int(self.summary.get("gaps", 0))
        if most_gaps is not None and gaps > most_gaps:
            lines.append(f"{gaps} gaps, more than {most_gaps}")
        failed = [f"{job}: {error}" for job, error in self.health.failed]
        lines += _listed("job failed last", "jobs failed last", failed)
        lines += _listed("dataset is late", "datasets are late", self.health.late)
        return lines


def _listed(one: str, several: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        more = f"; and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
        yield f"{len(items)} {one if len(items) == 1 else several}: {'; '.join(items[:_MOST_NAMED])}{more}"


def as_record(result: HarvestResult) -> dict[str, Any]:
    """Return the summary of a harvest as `--json` prints it."""
    from dataclasses import asdict  # noqa: PLC0415

    summary = asdict(result.summary)
    facts = {name: value for name, value in summary.pop("facts").items() if name != "landing_files"}
    unreadable = [{"log_path": path, "error": reason} for path, reason in result.unreadable]
    again = {"again": asdict(result.again)} if result.again else {}
    seconds = (result.summary.finished_at - result.summary.facts.started_at).total_seconds()
    states = dict(result.states)
    return {**summary, **facts, "duration_seconds": seconds, "states": states, "unreadable": unreadable, **again}


def write_text(path: str, text: str) -> None:
    """Write a file as a whole.

    Raises:
        UsageError: It cannot be written.
    """
    try:
        with replaced(Path(path)) as partial:
            partial.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write the file: {error.strerror}", path, "check the path") from None


def send(url: str, lines: Sequence[str], store_dir: str) -> str:
    """Post a message to a webhook: a JSON object with `text`, as Slack, Mattermost and Teams take it.

    Returns:
        Why it could not be sent; empty if it was.
    """
    from urllib.request import Request, urlopen  # noqa: PLC0415 - few harvests send one

    text = "\n".join([f"eventlog-lineage, store {store_dir}:", *(f"• {line}" for line in lines)])
    body = json.dumps({"text": text, "store": store_dir, "troubles": list(lines)}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "eventlog-lineage"}
    if not url.startswith(("http://", "https://")):
        return "the URL begins with neither http:// nor https://"
    try:
        with urlopen(Request(url, body, headers), timeout=_SECONDS):
            return ""
    except (OSError, ValueError) as error:
        return str(error) or type(error).__name__
