"""Makes tests/lineage/explain_modes: plan texts of the same statements in every explain mode.

Real Sparks run the statements of `operator_cases` once for each mode; the texts of each run stand in one file,
each after a line with the statement's name. `none` is no mode of these versions: its file is made by leaving the text
out of the log, so that `sparkPlanInfo` is what is left.

Usage: `python scripts/make_mode_fixtures.py 3.5=/path/python3.11 3.0=/path/python3.8@/java/home`. Spark 3.0 has the
extended mode only.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from spark_logs import options, run_job

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent / "tests" / "lineage" / "explain_modes"
WORK = Path("/tmp/operator_cases")
RULES = (
    "aggregate expand file_scan filter generate hive_scan in_memory_scan insert_into_files join local_table_scan"
    " pass_through project relation_scan reused_exchange sort take_ordered union window window_group_limit"
).split()


def main() -> None:
    """Runs every given Spark in every mode that it has."""
    FIXTURES.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[1:]:
        version, _, python = argument.partition("=")
        for mode in ("extended",) if version < "3.1" else ("formatted", "extended", "cost", "simple"):
            shutil.rmtree(WORK, ignore_errors=True)
            command = [str(HERE / "operator_cases" / "run.py"), str(WORK)]
            run_job(command, python, WORK, options({"spark.sql.ui.explainMode": mode}), EVERY_VERSION="1")
            write(version, mode)
            if mode == "simple":
                blank()
                write(version, "none")
    shutil.rmtree(WORK, ignore_errors=True)


def blank() -> None:
    """Takes the plan texts out of the logs, as the mode `none` of a coming Spark does."""
    import orjson  # noqa: PLC0415 - only here

    for path in (WORK / "logs").glob("[a-z]*"):
        lines = []
        for line in path.read_bytes().splitlines():
            event = orjson.loads(line)
            if event["Event"].endswith("SparkListenerSQLExecutionStart"):
                event["physicalPlanDescription"] = "No plan description because spark.sql.ui.explainMode=none"
            lines.append(orjson.dumps(event))
        path.write_bytes(b"\n".join(lines) + b"\n")


def write(version: str, mode: str) -> None:
    """Writes the texts of one run: of statements with one execution."""
    texts: dict[str, list[str]] = {}
    for log in find_logs([str(WORK / "logs")]):
        for execution in read_log(log).executions:
            if execution.description.partition("/")[0] in RULES and " " not in execution.description:
                texts.setdefault(execution.description, []).append(execution.plan.text)
    alone = sorted((name, found[0]) for name, found in texts.items() if len(found) == 1)
    lines = [f"##### {name}\n{text.rstrip()}\n" for name, text in alone]
    (FIXTURES / f"{version}-{mode}.plans").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
