"""Names of jobs: `<application>.<statement>`, as DataHub and Data.Rentgen take them apart.

DataHub takes what is before the first dot for the flow, and Data.Rentgen removes the parent's name and a dot. So the
application's part has no dots.
"""

from __future__ import annotations

from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.export.runs import Run
from eventlog_lineage.history.job_names import JobNameRule


class JobNames:
    """The names of jobs in events, of the store's `application: statement`."""

    def __init__(self, rule: JobNameRule | None) -> None:
        """Name jobs.

        Args:
            rule: The rule that the store's jobs are named by.
        """
        self._rule = rule or JobNameRule()
        self._known: dict[str, str] = {}

    def application(self, run: Run) -> str:
        """Return the name of the job of a run's application."""
        return self._parts(run)[0].replace(".", "_")

    def statement(self, run: Run) -> str:
        """Return the name of a run's job; each target of a statement with several ones has a job of its own."""
        application, statement = self._parts(run)
        target = f".{run.target.removeprefix(f'{SESSION_CATALOG}.')}" if run.has_more_targets else ""
        return f"{application.replace('.', '_')}.{statement or application}{target}"

    def _parts(self, run: Run) -> tuple[str, str]:
        """Return the application's and the statement's part of the store's name; the application's may hold `: `."""
        if run.app_name and run.app_name not in self._known:
            self._known[run.app_name] = self._rule.strip(run.app_name)
        known = self._known.get(run.app_name or "", "")
        if known and run.job_name.startswith(f"{known}: "):
            return known, run.job_name[len(known) + 2 :]
        application, _, statement = run.job_name.partition(": ")
        return application, statement
