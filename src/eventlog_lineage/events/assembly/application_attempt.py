"""Collect the facts about the application attempt that wrote a log."""

from __future__ import annotations

from eventlog_lineage.events.decoding.vendors import platform_of_version
from eventlog_lineage.events.listener_events import (
    ApplicationEnd,
    ApplicationStart,
    Environment,
    Event,
    LogStart,
    PartStart,
)
from eventlog_lineage.events.records import Application
from eventlog_lineage.events.scheduler_task import SchedulerTask
from eventlog_lineage.events.sources.event_log import EventLog, Layout


class ApplicationFacts:
    """Collects the facts about an application from events, with defaults from the log's names.

    Later parts of a rolling log repeat none of these events, later parts of a Databricks log repeat some: the first
    value counts, and settings are merged.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._start: ApplicationStart | None = None
        self._end: ApplicationEnd | None = None
        self._version = ""
        self._platform = "databricks" if log.layout is Layout.DATABRICKS else ""
        self._engine = ""
        self._settings: dict[str, str] = {}
        self._scheduler: SchedulerTask | None = None

    def continue_with(self, log: EventLog) -> None:
        """Continue with the log as it is now listed."""
        self._log = log

    @property
    def ended(self) -> bool:
        """Whether the application's end has been read."""
        return self._end is not None

    def add(self, event: Event) -> None:
        """Add an event; events that are not about the application are ignored."""
        if isinstance(event, LogStart):
            self._version = self._version or event.spark_version
        elif isinstance(event, PartStart):
            self._version = self._version or event.spark_version
            self._platform = "databricks"
        elif isinstance(event, ApplicationStart):
            self._start = self._start or event
        elif isinstance(event, ApplicationEnd):
            self._end = event
        elif isinstance(event, Environment):
            self._settings.update(event.settings)
            self._platform = self._platform or event.platform
            self._engine = self._engine or event.engine
            self._scheduler = self._scheduler or event.scheduler

    def application(self) -> Application:
        """Return the application with the facts so far."""
        start, log = self._start, self._log
        name = log.path.rsplit("/", 1)[-1].split(".", 1)[0]
        return Application(
            app_id=(start.app_id if start else "") or log.app_id or name,
            attempt_id=(start.attempt_id if start else "") or log.attempt_id,
            app_name=(start.app_name if start else "") or self._settings.get("spark.app.name", ""),
            user_name=start.user_name if start else "",
            spark_version=self._version,
            platform=self._platform or platform_of_version(self._version),
            engine=self._engine or "spark",
            started_at=start.time if start else None,
            ended_at=self._end.time if self._end else None,
            complete=self.ended,
            log_path=log.path,
            settings=dict(self._settings),
            scheduler=self._scheduler,
        )
