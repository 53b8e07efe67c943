"""Forge plans and names; nothing may be an error of the program, and no name may be more than a name.

    python scripts/attack/plans.py [--plans 1000] [--seed 1]

Plans: texts of real Sparks with pieces removed, repeated, moved, and replaced by forged structure (operators, ids,
fields, unbalanced brackets, loops of reused exchanges) are traced. None may be an `internal_error` or take over five
seconds.

Names: a log for each hostile name (SQL, shell, HTML, formulas, control and bidirectional characters, paths, formats)
has it as application, user, description, table, column and path. They are harvested into one store, and the commands
print it. No output may have a control or bidirectional character, no command may fail, no file may be made outside of
the store, and the store must pass `check`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from attack import ROOT, exit_code, options
from eventlog_lineage.cli.main import run
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from support.stores.staged_logs import harvest_logs

PLANS = sorted((ROOT / "tests" / "operators" / "fixtures").glob("*/*.plan"))
SECONDS = 5
FORGED = (
    *"()[]'\"`#\n\0\ud800\u202e",
    ", ",
    "\n\n",
    "#1",
    " AS x#1",
    "(unknown)",
    "... 7 more fields",
    "\n\n(1) Scan parquet x\nOutput [1]: [a#1]\n",
    "\n\n(9) ReusedExchange [Reuses operator id: 9]\nOutput [1]: [a#1]\n",
    "\n   +- ReusedExchange (1)",
    "\n+- *(1) Project [a#1]",
    "\n\n== Physical Plan ==\n",
    "Subquery:1 Hosting operator id = 1 Hosting Expression = Subquery scalar-subquery#1, [id=#2]\n",
    "Output [999999999]: [",
    "CASE WHEN " * 50,
    "if (" * 50,
    "lambda x#1, " * 50,
    "9" * 400,
    "[" * 500,
)
NAMES = (
    "x'); DROP TABLE applications; --",
    "x\"; ATTACH '/tmp/pwned' AS p; --",
    "'; COPY executions TO '/tmp/pwned.csv'; --",
    "$(touch /tmp/pwned)",
    "`touch /tmp/pwned`",
    "; touch /tmp/pwned",
    "../../../../tmp/pwned",
    "/tmp/pwned",
    "C:\\pwned",
    "a\x00b",
    "a\nb\r\nc",
    "\x1b[31mred\x1b]0;title\x07",
    "a\u202egpj.exe",
    "\u2066a\u2069\u200b",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "{0.__class__}",
    "%s%n%x",
    "__proto__",
    "x" * 60_000,
    "\ud800",
    "İ" * 100,
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_COMMANDS = ("ls", "jobs", "gaps", "export csv", "export openlineage", "export hive", "changes --since 2000-01-01")
_UI = "org.apache.spark.sql.execution.ui.SparkListener"


def attack_plans(count: int, seed: int) -> Iterator[str]:
    """Trace forged plans; give what goes wrong."""
    rnd = random.Random(seed)
    slowest = 0.0
    for number in range(count):
        text = rnd.choice(PLANS).read_text()
        for _ in range(rnd.choice((1, 2, 8))):
            start = rnd.randrange(len(text) + 1)
            end = min(len(text), start + rnd.choice((0, 1, 10, 200)))
            put = rnd.choice((*FORGED, "", text[start:end] * 3, rnd.choice(PLANS).read_text()[:400]))
            text = text[:start] + put + text[end:]
        started = time.process_time()
        try:
            gaps = trace_texts(text).gaps
        except Exception as error:
            yield f"plan {number}: {type(error).__name__}: {error}"
            continue
        took = time.process_time() - started
        slowest = max(slowest, took)
        if took > SECONDS:
            yield f"plan {number} takes {took:.1f} s"
        for gap in gaps:
            if gap.reason is GapReason.INTERNAL_ERROR:
                yield f"plan {number}: {gap.detail}"
    print(f"{count} forged plans, the slowest takes {slowest:.2f} s")


def write_log(path: Path, number: int, name: str) -> None:
    """Write a log of one statement that has a name wherever a log has names."""
    plan = (
        "== Physical Plan ==\nExecute InsertIntoHadoopFsRelationCommand (2)\n+- Scan parquet db.NAME (1)\n\n\n"
        "(1) Scan parquet db.NAME\nOutput [1]: [NAME#1]\nLocation: InMemoryFileIndex [file:/data/NAME]\n\n"
        "(2) Execute InsertIntoHadoopFsRelationCommand\nInput [1]: [NAME#1]\n"
        "Arguments: file:/out/NAME, false, Parquet, [path=file:/out/NAME], Append, [NAME]\n"
    ).replace("NAME", name)
    app = {"App Name": name, "App ID": f"local-{number}", "Timestamp": 1_700_000_000_000, "User": name}
    started = {"executionId": 1, "description": name, "details": name, "physicalPlanDescription": plan}
    events = (
        {"Event": "SparkListenerLogStart", "Spark Version": "3.5.9"},
        {"Event": "SparkListenerApplicationStart", **app},
        {"Event": f"{_UI}SQLExecutionStart", **started, "sparkPlanInfo": {}, "time": 1_700_000_000_001},
        {"Event": f"{_UI}SQLExecutionEnd", "executionId": 1, "time": 1_700_000_000_002, "errorMessage": name},
        {"Event": "SparkListenerApplicationEnd", "Timestamp": 1_700_000_000_003},
    )
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events))


def attack_names() -> Iterator[str]:
    """Harvest the names and print the store; give what goes wrong."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        logs, store = folder / "logs", folder / "store"
        logs.mkdir()
        for number, name in enumerate(NAMES):
            write_log(logs / f"local-{number}", number, name)
        os.chdir(folder)
        harvest_logs(store, [logs])
        for command in (*_COMMANDS, f"report --out {folder / 'page.html'}", "check"):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run([*command.split(), "--store", str(store)])
            if code or "Traceback" in err.getvalue():
                yield f"{command} exits with {code}: {err.getvalue()}"
            printed = out.getvalue().replace("\r\n", "\n")  # as lines of CSV end
            if found := _CONTROLS.search(printed):
                yield f"{command} prints {found[0]!r}"
        found_files = {path.name for path in folder.iterdir()} - {"logs", "store", "page.html"}
        if found_files or any(Path("/tmp").glob("pwned*")):
            yield f"files that are not the program's: {sorted(found_files)}"
    print(f"{len(NAMES)} hostile names in {len(NAMES)} logs, {len(_COMMANDS) + 2} commands")


def main() -> int:
    """Print what was forged and what went wrong."""
    given = options(__doc__, plans=1000, seed=1)
    found = chain(attack_plans(given.plans, given.seed), attack_names())
    return exit_code(found, "no error, no name is more than a name")


if __name__ == "__main__":
    sys.exit(main())
