"""The Spark session of a harvest: its start, its Python workers, its scratch folder and their tuning.

Nothing here knows what the job does; the job itself is in `harvest`.
"""

from __future__ import annotations

from importlib.util import find_spec

from eventlog_lineage.errors import UsageError

if find_spec("pyspark") is None:
    raise UsageError(
        "a harvest needs PySpark, which is not installed",
        hint="pip install 'eventlog-lineage[spark]', or run the program with the spark-submit of your Spark",
    )
