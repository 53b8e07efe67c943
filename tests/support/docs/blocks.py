"""The blocks of the README and of the pages in docs/, and what a test can run of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGES = {str(page.relative_to(ROOT)): page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))}

_BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)\n(?P<text>.*?)^(?P=fence)\n", re.MULTILINE | re.DOTALL)
_CONTINUED = re.compile(r"\\\n\s*")
_DEMO = "EVENTLOG_LINEAGE_STORE=.demo"

LOGS = ROOT / "tests" / "sample_logs"
_FOLDERS = {
    str(LOGS): ("/var/log/spark/apps", "/Volumes/ops/spark/logs", "hdfs:///spark-logs", "/path/to/logs", "LOGS"),
    f"{LOGS}/nightly-sales-3-5.zstd": ("/path/to/a/log", "app-20261120-0001.zstd"),
    "data": ("/data",),
    "data/lineage": ("/var/lib/lineage", "/local_disk0/lineage", "my-lineage", ".demo", "DIR"),
    "backup": ("/backup", "/Volumes/ops/spark/lineage"),
    "2026-11-20": ("$(date +%F)",),
}
_PLACES = {name: place for place, names in _FOLDERS.items() for name in names}
"""What the pages call the logs, the store and other folders, and where they are in a test."""
_PLACE = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(_PLACES, key=len, reverse=True)))

READ_ELSEWHERE = {
    ("README.md", "console"): "tests/docs/test_readme.py runs the README from ./scripts/demo on",
    ("docs/newcomer.md", "console"): "test_every_answer_is_that_of_a_store_of_the_sample_logs",
    ("docs/questions.md", "console"): "test_every_answer_is_that_of_a_store_of_the_sample_logs",
    ("docs/snapshots.md", "console"): "tests/harvest/results/test_lakehouse.py compares the answers",
}
"""Blocks whose commands and answers another test compares."""

NOT_RUN = {
    r"^(PYTHONPATH=src )?python (benchmarks|scripts)/": "takes minutes, or Sparks of several versions",
    r"^eventlog-lineage (doctor|pack) ": "starts a Spark or packs its Python: tests/cli/commands, tests/harvest",
    r"^eventlog-lineage .*(s3a?|gs|abfss)://": "an object store: tests/events/sources has servers that stand in",
    r"^eventlog-lineage .*--master (yarn|k8s)": "a cluster: scripts/try_yarn.py, scripts/try_kubernetes.py",
    r"^eventlog-lineage .*--to http": "another program's server: tests/export",
    r"^(spark-submit|export PYSPARK_DRIVER_PYTHON|export HADOOP_CONF_DIR|MAIN=)": "a cluster: scripts/try_yarn.py",
    r"^(pip|python3.11|/opt/eventlog-lineage/bin/pip) ": "an installation: scripts/try_release.py",
    r"^git clone .*": "the network",
    r"^(./scripts/demo|\. .venv/bin/activate|./scripts/test)$": "tests/docs/test_readme.py",
    r"^kubectl ": "a Kubernetes: scripts/try_kubernetes.py",
    r"^gcloud ": "an account at Google",
    r"^superset ": "a Superset: tests/export/test_dashboards.py has its schemas",
    r"^LINEAGE_STORE=.* streamlit ": "Streamlit: tests/export/test_dashboards.py runs the example",
    r"^duckdb ": "DuckDB's shell, which pip does not install: the same statements run in Python",
    r"^(cd web|npm )": "Node.js: tests/report",
    r"^(eval |_EVENTLOG_LINEAGE_COMPLETE)": "an interactive shell: tests/cli completes names",
}
"""Commands that need something else than a store and logs on this machine, by how they begin, and why."""

NOT_RUN_CODE = {
    "s3://lake-ops": "an object store: tests/store/remote has a server that stands in",
    "%pip install": "the network, in a notebook",
    "notebookutils": "Synapse's own module",
    "SparkSubmitOperator": "Airflow",
    "SparkSession.builder": "a Spark with an event log, which the session of the test has not",
    "spark.read.parquet": "Spark reads files; the shapes of the paths are tested in tests/store",
}
"""The same for Python and SQL, by a word in the block."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        page: The page's path in the repository.
        line: The line of its fence, from 1.
        language: The word after the fence.
        text: What is in it.
    """

    page: str
    line: int
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of `eventlog-lineage`.

    Attributes:
        words: Its arguments.
        store: `EVENTLOG_LINEAGE_STORE` where it is called, or nothing.
    """

    words: tuple[str, ...]
    store: str


def blocks(*languages: str) -> Iterator[Block]:
    """Yield the blocks of all pages in some languages, or in any."""
    for page in PAGES:
        yield from (block for block in blocks_of_page(page) if not languages or block.language in languages)


@cache
def blocks_of_page(page: str) -> tuple[Block, ...]:
    """Return the blocks of a page; each worker that collects the tests reads it once."""
    text = PAGES[page].read_text(encoding="utf-8")
    return tuple(
        Block(page, text.count("\n", 0, match.start()) + 1, match["language"], match["text"])
        for match in _BLOCK.finditer(text)
    )


def commands(block: Block) -> list[str]:
    """Return the commands of a block, each on one line; of a session (`console`) those after the prompt."""
    lines = _CONTINUED.sub(" ", block.text).splitlines()
    if block.language == "console":
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line for line in lines if line.strip() and not line.startswith("#")]


def reason(command: str) -> str | None:
    """Return why a test does not run a command, None if it does."""
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, command)), None)


def is_run(block: Block) -> bool:
    """Return whether a test runs a block of commands, SQL or Python, or a part of it."""
    if block.language in {"sh", "console"}:
        return any(reason(command) is None for command in commands(block))
    return not any(word in block.text for word in NOT_RUN_CODE)


def placed(text: str) -> str:
    """Return a text with the folders of a test, relative to the reader's one, in place of the page's."""
    return _PLACE.sub(lambda found: _PLACES[found[0]], text)


def calls(block: Block, folder: Path, shell: Mapping[str, str]) -> list[Call]:
    """Run a block in bash, and return the calls of the program in it, which are not run.

    Args:
        block: A block of commands.
        folder: The working directory.
        shell: The variables of the shell.

    Raises:
        AssertionError: A command fails.
    """
    listed = folder / "calls"
    listed.write_text("")
    record = (
        'eventlog-lineage() { printf "%s\\0" "$#" "$@" "${EVENTLOG_LINEAGE_STORE-}" >> "$CALLS"; }\n'
        + ("export EVENTLOG_LINEAGE_STORE=.demo\n" if _DEMO in PAGES[block.page].read_text(encoding="utf-8") else "")
        + "\n".join(command for command in commands(block) if reason(command) is None)
    )
    script = ["bash", "-euc", placed(record)]
    environment = {**shell, "CALLS": str(listed)}
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (block.page, block.line, done.stderr)
    words = listed.read_text().split("\0")[:-1]
    found = []
    while words:
        count = int(words[0])
        found.append(Call(tuple(words[1 : count + 1]), words[count + 1]))
        words = words[count + 2 :]
    return found
