"""New statements in files: where all tasks see one folder, the task that ends last traces a few of them itself.

A second stage of Spark costs a tenth of a second, a few statements some hundredths.
"""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from eventlog_lineage.harvest.extract import NewStatement, Record

_ENDED = "ended-"


class AllTraced(NamedTuple):
    """The last record of the task that has traced the new statements of all tasks."""


@dataclass(frozen=True, slots=True)
class StatementFiles:
    """Where the tasks of a job write their new statements, for themselves and for later jobs.

    A statement is in the same bucket wherever it was found. Files have unique names, and are complete as soon as they
    have them: what an attempt leaves that failed afterwards are statements that its repetition finds as well. If the
    attempt fails that ended last, no other traces: a later job has to.

    Attributes:
        folder: The folder's absolute path, which all tasks see.
        tasks: The number of the job's tasks.
        buckets: The number of tasks that trace if the last one does not.
        few_bytes: The size of all files, in bytes, up to which the last task traces their statements.
    """

    folder: str
    tasks: int
    buckets: int
    few_bytes: int

    def take(
        self, records: Iterable[Record], trace: Callable[[Iterable[NewStatement]], Iterable[Record]]
    ) -> Iterator[Record | AllTraced]:
        """Yield a task's records, and write its new statements; the last task may trace those of all.

        Args:
            records: The task's records.
            trace: Traces statements.

        Raises:
            OSError: A file cannot be written.
        """
        with ExitStack() as opened:
            files: dict[int, BinaryIO] = {}
            for record in records:
                if not isinstance(record, NewStatement):
                    yield record
                    continue
                bucket = self.bucket(record)
                if bucket not in files:
                    files[bucket] = opened.enter_context(self._unfinished(bucket).open("xb"))
                pickle.dump(record, files[bucket], pickle.HIGHEST_PROTOCOL)
        for file in files.values():
            Path(file.name).rename(Path(file.name).with_suffix(""))
        if self._is_last() and sum(file.stat().st_size for file in self._files("*")) <= self.few_bytes:
            yield from trace(self.read())
            yield AllTraced()

    def bucket(self, new: NewStatement) -> int:
        """Return the bucket of a statement."""
        return int(new.statement.lineage_id[:8], 16) % self.buckets

    def read(self, bucket: int | None = None) -> Iterator[NewStatement]:
        """Yield the statements of a bucket, or of all, as often as tasks of this harvest found them.

        Args:
            bucket: The bucket; None for all.
        """
        for name in self._files("*" if bucket is None else str(bucket)):
            with name.open("rb") as file:
                while file.peek(1):
                    yield pickle.load(file)

    def _unfinished(self, bucket: int) -> Path:
        return Path(self.folder, f"{uuid.uuid4().hex}.{bucket}.unfinished")

    def _files(self, bucket: str) -> list[Path]:
        return sorted(Path(self.folder).glob(f"{'[0-9a-f]' * 32}.{bucket if bucket != '*' else '*[0-9]'}"))

    def _is_last(self) -> bool:
        """Count this task; each number is taken once, after all that its task has found is written."""
        for number in range(1, self.tasks + 1):
            try:
                Path(self.folder, f"{_ENDED}{number}").touch(exist_ok=False)
            except FileExistsError:
                continue
            return number == self.tasks
        return False  # a task that Spark repeats
