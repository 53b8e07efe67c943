"""Find statements that read rows which the driver program passes to Spark (`createDataFrame`).

`createDataFrame` of a pandas data frame or of an Arrow table is a `LocalRelation` (3.3+ with
`spark.sql.execution.arrow.pyspark.enabled`, which is on by default from 4.2 on); without Arrow it is an RDD. Rows that
a SQL statement lists (`VALUES`) are a `LocalRelation`, too: the method that ran the execution distinguishes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .execution_summary import ExecutionSummary

_WRITERS = frozenset(
    """
    saveAsTable save insertInto parquet orc json csv text xml jdbc append overwrite overwritePartitions create
    createOrReplace replace
    """.split()
)
"""Methods that write a data frame (`DataFrameWriter`, `DataFrameWriterV2`)."""
_COLLECTS = frozenset("collect collectToPython collectAsArrowToPython toLocalIterator toPythonIterator".split())
_CALL_SITE = re.compile(r" at \S+:\d+$")
"""The call site, which is the description of an execution without a job description."""


class DriverRows:
    """The executions of an application that may read rows of the driver program.

    Args:
        ordered: All executions, in the order of their ids.
    """

    def __init__(self, ordered: Sequence[ExecutionSummary]) -> None:
        self._collected: dict[str, int] = {}
        for each in ordered:
            if each.call in _COLLECTS and not each.summary.command:
                self._collected.setdefault(each.description, each.execution_id)

    def reads(self, execution: ExecutionSummary) -> bool:
        """Return whether the local rows of an execution's plan are those of the driver program.

        They are if a method of a data frame's writer ran it; a collected query reads them if an execution with the same
        job description collected another query before: `createDataFrame(df.toPandas())`.

        Args:
            execution: The execution.
        """
        if not execution.summary.has_local_rows:
            return False
        if execution.call in _WRITERS:
            return True
        first = self._collected.get(execution.description, execution.execution_id)
        described = execution.description and not _CALL_SITE.search(execution.description)
        return bool(described) and execution.call in _COLLECTS and first < execution.execution_id
