"""Facts about a statement that its jobs show and its plans omit."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.extensions import contributions

from .table_commits import TableCommit


@dataclass(frozen=True, slots=True)
class JobFacts:
    """The facts that the jobs of one execution show.

    Each kind of fact is a field. Events, executions and their summaries pass this record along.

    Attributes:
        commit: The commit to a table; None for formats whose jobs do not describe it.
        scans: The distinct scans whose rows the jobs' RDDs hold, by the names of their operators:
            `BatchScan shop.orders`.
        checkpoints: The numbers of the checkpoints' RDDs that the jobs read or make.
    """

    commit: TableCommit | None = None
    scans: tuple[str, ...] = ()
    checkpoints: tuple[int, ...] = ()

    def with_job(self, description: str, scans: tuple[str, ...], checkpoints: tuple[int, ...] = ()) -> JobFacts:
        """Return the facts after one more job.

        Args:
            description: `spark.job.description` of the job, from which formats read their commits.
            scans: The scans among the scopes of its RDDs.
            checkpoints: The numbers of its RDDs that checkpoints made.
        """
        commit = self.commit
        for read_commit in contributions("table_commit"):
            commit = read_commit(commit, description)
        if commit is self.commit and not scans and not checkpoints:
            return self
        made = tuple(dict.fromkeys((*self.checkpoints, *checkpoints)))
        return JobFacts(commit, tuple(dict.fromkeys((*self.scans, *scans))), made)


NO_FACTS = JobFacts()
"""The facts of an execution without jobs."""
