"""Make tests/dataframe_logs: DataFrame code and streams, run on real Sparks in both explain modes, and slimmed.

    python scripts/make_dataframe_logs.py 3.5=PYTHON 4.1=PYTHON 4.3=PYTHON

Each Python has that PySpark, pandas before 3, PyArrow, and protobuf for stateful processors; with `--connect` also what
PySpark needs for Spark Connect: grpcio, grpcio-status, googleapis-common-protos, zstandard. `--only 4.3-extended` makes
one log; `--more` those of further idioms and streams. The statements are in `scripts/dataframes/`; what a log must show
is written by hand in tests/dataframe_logs/*.truth.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path

import spark_logs
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.plan.plan_text import PlanText

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "dataframe_logs"
_ROOT = Path("/tmp/dataframe_shop")
_MODES = ("formatted", "extended")
_FIXTURES = _SCRIPTS.parent / "tests" / "operators" / "fixtures"
_CASES = {
    "python: state": "python_rows/state",
    "python: transform": "python_rows/transform_state",
    "python: transform initial": "python_rows/transform_with_initial_state",
    "python: transform batch": "python_rows/transform_batch",
    "view: csv": "create_view/using",
    "view: inferred": "create_view/using_inferred",
    "lateral: created": "lateral_join/created",
    "memory_sessions": "aggregate/sessions",
}
"""Statement to the operators' fixture that its first plan is, on the last of the Sparks."""
_NO_FIXTURES = ("CommandResult", "Execute CreateDataSourceTableCommand", "Execute SaveAsV1TableCommand")
_LAST = "4.3"
CONNECT = "connect"
MORE = "-more"


def main() -> None:
    """Makes the logs of every Spark on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON")
    parser.add_argument("--only", action="append", default=[], metavar="VERSION-MODE")
    parser.add_argument(
        "--connect", action="store_true", help="make the logs of Spark Connect, which 4.0 and later have"
    )
    parser.add_argument("--more", action="store_true", help="make the logs of further idioms and streams")
    options = parser.parse_args()
    modes = (CONNECT,) if options.connect else tuple(f"{mode}{MORE * options.more}" for mode in _MODES)
    for argument in options.sparks:
        version, _, python = argument.partition("=")
        for mode in modes:
            name = f"{version}-{mode}"
            if not options.only or name in options.only:
                shutil.rmtree(_ROOT, ignore_errors=True)
                target = _TARGET / f"{name}.zstd"
                size = publish(run_statements(python, mode, _ROOT), _ROOT, target)
                print(f"{name}: {size:,} bytes", flush=True)
                if version == _LAST and mode in _MODES:
                    write_fixtures(target, f"{'' if mode == 'formatted' else '_extended'}.{version}.plan")


def run_statements(python: str, mode: str, root: Path) -> Path:
    """Runs the statements on one Spark.

    Args:
        python: A Python with that PySpark.
        mode: `formatted`, `extended`, either with `-more`, or `connect` for formatted text through Spark Connect.
        root: The folder for all that is written.

    Returns:
        The event log. What this Spark refuses is printed.
    """
    (root / "logs").mkdir(parents=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(_SCRIPTS), os.environ.get("PYTHONPATH")))),
        "PYSPARK_PYTHON": python,
        "PYTHONDONTWRITEBYTECODE": "1",
        "SPARK_USER": "etl",
        "SPARK_LOCAL_HOSTNAME": "localhost",
    }
    words = ["formatted", "--connect"] if mode == CONNECT else [mode.removesuffix(MORE)]
    words += ["--more"] if mode.endswith(MORE) else []
    with (root / "driver.err").open("w") as errors:
        command = [python, "-m", "dataframes", str(root), *words]
        ran = subprocess.run(
            command, env=environment, cwd=root, stdout=subprocess.PIPE, stderr=errors, text=True, check=False
        )
    print("".join(f"  {line}\n" for line in ran.stdout.splitlines() if line.startswith("FAILED")), end="", flush=True)
    if ran.returncode:
        raise SystemExit(f"the statements failed; see {root / 'driver.err'}")
    (log,) = (path for path in (root / "logs").iterdir() if not path.name.startswith("."))
    return log


def publish(log: Path, root: Path, target: Path) -> int:
    """Write the lines of a log that count; the new log names another folder in place of its `root`."""
    return spark_logs.publish(log, target, moved=(root, _ROOT))


def write_fixtures(log: Path, suffix: str) -> None:
    """Writes the fixtures of operators that a log has."""
    written = set()
    (found,) = find_logs([str(log)])
    for execution in read_log(found).executions:
        assert isinstance(execution.plan, PlanText)
        case = _CASES.get(execution.description.partition("\n")[0])
        text = execution.plan.text.partition("== Physical Plan ==\n")[2]
        if case and case not in written and not text.startswith(_NO_FIXTURES):
            written.add(case)
            (_FIXTURES / f"{case}{suffix}").write_text(execution.plan.text)


if __name__ == "__main__":
    main()
