"""Workers on this machine are forked from a process that has imported the program."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyspark
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.spark.daemon import PRELOADED, unzipped
from support.processes import environment

HOME = str(Path(pyspark.__file__).parent)
ARCHIVE = str(Path(HOME) / "python" / "lib" / "pyspark.zip")
PACKAGES = str(Path(HOME).parent)


def test_pyspark_comes_from_its_files_where_they_are_those_of_the_spark_that_runs() -> None:
    assert unzipped([ARCHIVE, PACKAGES], HOME) == [PACKAGES]


def test_other_archives_stay_on_the_path() -> None:
    assert unzipped(["/x/pack.zip", ARCHIVE, "/x/py4j-0.10.9-src.zip", PACKAGES], HOME) == ["/x/pack.zip", PACKAGES]


def test_pyspark_comes_from_the_archive_of_another_spark(tmp_path: Path) -> None:
    assert unzipped([ARCHIVE, PACKAGES], str(tmp_path)) == [ARCHIVE, PACKAGES]


def test_pyspark_comes_from_the_archive_where_there_are_no_files_of_it(tmp_path: Path) -> None:
    assert unzipped([ARCHIVE, str(tmp_path)], HOME) == [ARCHIVE, str(tmp_path)]


def test_pyspark_comes_from_the_archive_where_nobody_says_which_spark_runs() -> None:
    for home in ("", "/no/such/spark"):
        assert unzipped([ARCHIVE, PACKAGES], home) == [ARCHIVE, PACKAGES]


@pytest.mark.spark
def test_a_worker_has_the_program_before_its_first_task(spark: SparkContext) -> None:
    def asked(_: int) -> tuple[list[str], bool, int]:
        wanted = {f"eventlog_lineage.{name}" for name in PRELOADED}
        return [each for each in sys.path if each.endswith("pyspark.zip")], wanted <= set(sys.modules), os.getppid()

    archives, preloaded, parent = spark.parallelize([0], 1).map(asked).collect()[0]
    assert archives == []
    assert preloaded
    assert b"eventlog_lineage.harvest.spark.daemon" in Path(f"/proc/{parent}/cmdline").read_bytes()


def test_executors_import_no_duckdb() -> None:
    """What `pack` packs for them has none."""
    script = (
        "import sys; sys.modules['duckdb'] = None; import eventlog_lineage.harvest.job\n"
        "from eventlog_lineage.harvest.spark.daemon import preload; preload()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=environment())


def test_nothing_that_is_preloaded_starts_a_thread() -> None:
    """Python 3.12 warns when a process with threads is forked, and is right."""
    program = """
import os, sys
from eventlog_lineage.harvest.spark.daemon import preload
preload()
print(len(os.listdir("/proc/self/task")), "pyarrow" in sys.modules, "pyspark" in sys.modules)
"""
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["1", "True", "False"]


def test_the_arrow_arrays_of_a_worker_import_no_pandas(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("raise SystemExit('pandas is imported')")
    program = """
from eventlog_lineage.harvest.spark.daemon import preload
preload()
import pyarrow
print(pyarrow.array(("a", None)).to_pylist())
"""
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert printed.stdout == "['a', None]\n"


@pytest.mark.parametrize("name", PRELOADED)
def test_each_preloaded_module_exists(name: str) -> None:
    assert find_spec(f"eventlog_lineage.{name}") is not None
