"""The daemon that forks Spark's Python workers on this machine: Spark's own, after it has imported this program.

Spark starts it as `python -m eventlog_lineage.harvest.spark.daemon pyspark.worker` (`spark.python.daemon.module`).
Otherwise each worker would import the program itself (0.5 s of a processor), and PySpark from `pyspark.zip`, where
nothing is compiled, and whose directory Spark has Python read again for each task (`importlib.invalidate_caches`, all
versions).
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder
from pathlib import Path

from eventlog_lineage.extensions import commands
from eventlog_lineage.operators.registry import rules

ARROW_ALLOCATOR_VARIABLE = "JE_ARROW_MALLOC_CONF"
ARROW_ALLOCATOR = "background_thread:false"
"""jemalloc within Arrow starts a thread when pyarrow is imported, even if it is not used.

A process with threads must not be forked.
"""

COLLECTED_AFTER = 20_000
"""New objects after which Python looks for cycles among the newest.

Nearly all objects of a log live until its rows are made. To look through them after each 700 takes a fortieth of a
worker's time.
"""

_ARCHIVE = re.compile(r"/(?:pyspark|py4j-[^/]*)\.zip$")

PRELOADED = (
    "events.sources.files",
    "harvest.row_batches",
    "harvest.checkpoints",
    "harvest.extract",
    "lineage.application",
    "lineage.results.lineage_names",
    "store.schema.tables",
)
"""Modules that import all that a worker needs, including pyarrow.

None may start a thread: a process with threads must not be forked.
"""


class _WithoutPandas(MetaPathFinder):
    """Finds no pandas: each worker's first Arrow array imports it where it is installed, in 0.2 s of a processor.

    Nothing in a harvest uses it. `None` in `sys.modules` does not do: `import` in Cython returns it (pyarrow 26).
    """

    def find_spec(self, fullname: str, *_: object) -> None:
        """Raise ImportError for pandas; leave other modules to the other finders."""
        if fullname == "pandas":
            raise ModuleNotFoundError("a worker of a harvest does not import pandas", name=fullname)


def preload() -> None:
    """Import all that a worker needs, without starting a thread, and nothing that it does not."""
    os.environ.setdefault(ARROW_ALLOCATOR_VARIABLE, ARROW_ALLOCATOR)
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # pyarrow imports numpy where it is, whose OpenBLAS starts threads
    for name in PRELOADED:
        importlib.import_module(f"eventlog_lineage.{name}")
    rules()
    commands()
    sys.meta_path.insert(0, _WithoutPandas())


def unzipped(path: list[str], home: str) -> list[str]:
    """Return Python's path without the archives of PySpark and Py4J, if the same PySpark is on it as files.

    Args:
        path: As `sys.path` is.
        home: `SPARK_HOME`, as Spark's scripts export it; of a PySpark that pip installed, its folder.
    """
    files = [each for each in path if not _ARCHIVE.search(each)]
    found, bridge = (PathFinder.find_spec(name, files) for name in ("pyspark", "py4j"))
    if found is None or found.origin is None or bridge is None or not Path(home).is_dir():
        return path
    return files if Path(found.origin).parent.samefile(home) else path


def main() -> None:
    """Fork workers until Spark ends."""
    sys.path[:] = unzipped(sys.path, os.environ.get("SPARK_HOME", ""))
    preload()
    gc.freeze()  # the collectors of the workers skip what they share
    gc.set_threshold(COLLECTED_AFTER)
    importlib.import_module("pyspark.daemon").manager()


if __name__ == "__main__":
    main()
