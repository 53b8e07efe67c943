"""Where OpenLineage events go: lines of JSON, or a server."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.parse import urlsplit

import orjson

from eventlog_lineage.errors import LineageError, UsageError
from eventlog_lineage.export.openlineage.event_names import Json

ENDPOINT = "api/v1/lineage"
"""The path of a consumer's API that takes events (`HttpConfig.endpoint` of OpenLineage's clients)."""

_PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt."""

_LONGEST_PAUSE = 60.0
_TIMEOUT = 60
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_REASON = 300


class DeliveryError(LineageError):
    """A consumer does not answer, or refuses events."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """Where events go.

    Attributes:
        address: The URL that takes events.
        api_key: Sent as `Authorization: Bearer`; empty for none.
        pauses: Seconds before each further attempt.
        sleep: Waits that long.
    """

    address: str
    api_key: str = ""
    pauses: tuple[float, ...] = ()
    sleep: Callable[[float], object] = time.sleep

    def send(self, body: bytes) -> str:
        """Send an event.

        Args:
            body: Its JSON.

        Returns:
            Why the consumer refuses it; empty if it took it.

        Raises:
            DeliveryError: The consumer cannot be reached, or is too busy, after all attempts.
        """
        for pause in (*self.pauses, None):
            failure, wait = "", 0.0
            try:
                self._post(body)
            except urllib.error.HTTPError as error:
                with error:
                    failure = f"{error.code} {_one_line(error.read(_REASON).decode(errors='replace')) or error.reason}"
                if error.code not in _RETRIED:
                    return failure
                wait = _asked_pause(error.headers.get("Retry-After", ""))
            except (OSError, HTTPException) as error:
                failure = _one_line(str(getattr(error, "reason", error))) or type(error).__name__
            if not failure:
                return ""
            if pause is None:
                break
            self.sleep(min(max(pause, wait), _LONGEST_PAUSE))
        raise DeliveryError(f"the consumer does not take events: {failure}", self.address)

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "eventlog-lineage"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        request = urllib.request.Request(self.address, body, headers, method="POST")
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            answer.read(_REASON)


def consumer_at(url: str, environment: Mapping[str, str]) -> Consumer:
    """Return the consumer at an address.

    Args:
        url: `http(s)://host:port`, with a path where a proxy wants one; empty for `OPENLINEAGE_URL`.
        environment: Has `OPENLINEAGE_URL`, `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY` where these are set.

    Raises:
        UsageError: The address is missing, not HTTP, or contains credentials.
    """
    base = (url or environment.get("OPENLINEAGE_URL", "")).strip()
    if not base:
        raise UsageError("no address to send events to", hint="name it, --to http://host:5000, or set OPENLINEAGE_URL")
    parts = urlsplit(base)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"not an HTTP address: {base}", hint="write http://host:port or https://host")
    endpoint = environment.get("OPENLINEAGE_ENDPOINT", "").strip().strip("/") or ENDPOINT
    if "@" in parts.netloc:
        raise UsageError("the address holds a user or password", hint="set OPENLINEAGE_API_KEY instead")
    return Consumer(f"{base.rstrip('/')}/{endpoint}", environment.get("OPENLINEAGE_API_KEY", "").strip(), _PAUSES)


def is_disabled(environment: Mapping[str, str]) -> bool:
    """Return whether `OPENLINEAGE_DISABLED` turns sending off, as it does in OpenLineage's clients."""
    return environment.get("OPENLINEAGE_DISABLED", "").strip().lower() in {"true", "1"}


def _asked_pause(asked: str) -> float:
    """Return the seconds that `Retry-After` asks for; a date there is not read."""
    return float(asked) if re.fullmatch(r"\d{1,6}", asked.strip()) else 0.0


def _one_line(text: str) -> str:
    return " ".join(text.split())


LARGE = 5_000_000
"""Bytes from which consumers refuse an event: Dataplex's limit; Marquez and proxies have limits of their own."""


@dataclass(slots=True)
class Tally:
    """What was written.

    Attributes:
        events: Events.
        bytes: Bytes of all events.
        large: Events over `LARGE` bytes.
        largest: Bytes of the largest event.
        largest_job: The job of it.
        runs: Ids of runs.
        jobs: Names of jobs.
        nested: Columns in structs by their dotted names, with their datasets.
    """

    events: int = 0
    bytes: int = 0
    large: int = 0
    largest: int = 0
    largest_job: str = ""
    runs: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)
    nested: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, event: Json, size: int) -> None:
        """Count an event.

        Args:
            event: The event.
            size: Its bytes.
        """
        self.events += 1
        self.bytes += size
        self.large += size > LARGE
        self.runs.add(event["run"]["runId"])
        self.jobs.add(event["job"]["name"])
        if size > self.largest:
            self.largest, self.largest_job = size, event["job"]["name"]
        for dataset in event["outputs"]:
            self.nested.update(each for each in _named_columns(dataset) if "." in each[2])


def _named_columns(output: Json) -> Iterator[tuple[str, str, str]]:
    """Yield namespace, name and column of what the columnLineage facet of an output names."""
    lineage = output.get("facets", {}).get("columnLineage", {})
    made = lineage.get("fields", {})
    yield from ((output["namespace"], output["name"], column) for column in made)
    lists = [*(each["inputFields"] for each in made.values()), lineage.get("dataset", ())]
    yield from ((each["namespace"], each["name"], each["field"]) for listed in lists for each in listed)


def event_lines(events: Iterable[Json], tally: Tally) -> Iterator[bytes]:
    """Return each event as compact JSON with sorted keys, without a line end.

    Args:
        events: The events.
        tally: Counts them.
    """
    for event in events:
        line = orjson.dumps(event, option=orjson.OPT_SORT_KEYS)
        tally.add(event, len(line))
        yield line
