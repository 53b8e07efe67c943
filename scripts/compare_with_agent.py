"""Compare `export openlineage` with OpenLineage's agent in the same applications: names, schemas and column lineage.

    PYTHONPATH=src python scripts/compare_with_agent.py 3.5=PYTHON 4.1=PYTHON

PYTHON has that PySpark (Java 17). The job of scripts/export_logs/agent.py runs under the agent over files, tables,
Delta, Iceberg, and a PostgreSQL (Debian's, as in scripts/connectors/make_logs.py); its log is harvested and exported.
Each difference is printed with who is right and why (`REASONS`); the exit code is 1 if one has no reason or a table has
two names. Spark fetches the jars from Maven Central. The log does not have the server of `format("jdbc")`: `SOURCE`
states it.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import make_export_logs as logs
from connectors import make_logs as servers
from eventlog_lineage.cli.main import run

DRIVER = "org.postgresql:postgresql:42.7.14"
SOURCE = f"connector=jdbc,namespace=postgres://127.0.0.1:{servers.PORT},database=shop"
_COPIED = r"^edge only of the agent: file \S+\.(who|last|region|customers) <- file \S+\.\1$"
REASONS = (
    (r"landing/orders/day=\S+\.csv", "we", "the file that Spark reads for its header is no dataset: the folder is"),
    (r"_file\b|_pos\b", "we", "Iceberg's metadata columns are not in the table's schema"),
    (r"sales\.db/rich", "we", "CREATE VIEW makes a dataset; the agent reads views through and has no event of it"),
    (r"^column: file \S+/landing/orders\.customer_id", "both", "written as long, read as integer: CSV has no types"),
    (r"^column: file \S+/landing/orders\.day", "the agent", "plans print no type of literals and partition columns"),
    (r"^edge only of the agent: \S+ \S+sales\.db/daily\.(day|region) <-", "we", "COMPLETE of a statement that failed"),
    (_COPIED, "both", "values of rows that UPDATE and MERGE copy; the specification does not mention them"),
    (r"^edge: \S+ \S+loyal\.revenue <- \S+ \S+loyal\.revenue:", "we", "UPDATE adds 1 to it"),
    (r"^edge only of the agent: \S+ \S+loyal\.revenue <- \S+ \S+loyal\.who", "both", "WHERE chooses the rows' values"),
    (r"^edge: .* the agent INDIRECT FILTER, INDIRECT JOIN; we INDIRECT JOIN", "we", "isnotnull is the optimizer's"),
    (r"^edge only of ours: \S+ \S+/loyal <- \S+ \S+/loyal\.who", "we", "WHERE of the UPDATE"),
    (r"^edge only of ours: \S+ \S+/names <- ", "we", "UNION removes duplicates: GROUP_BY of all columns"),
    (r"^edge only of ours: \S+ \S+sales\.db/replaced\b", "we", "CREATE OR REPLACE AS and MERGE have no columns there"),
    (r"^edge only of ours: \S+ \S+landing/people\b", "we", "the columns of `query`, which the agent does not read"),
    (r"^column only of ours: postgres://\S+ shop\.sales\.customers\.id", "we", "a join key in `query`"),
    (r"^column: postgres://\S+ \S+: .* we unknown", "the agent", "it asks the database; a plan prints scanned types"),
    (
        r"^edge: .*stock\.net <- .* we DIRECT TRANSFORMATION",
        "we",
        "a difference; the agent says IDENTITY for all of JDBC",
    ),
    (r"^edge: postgres://\S+ \S+totals\b.*(GROUP_BY|AGGREGATION)$", "we", "sum by status; likewise"),
)
"""Pattern of a difference as it is printed, who is right by the specification, and why."""


@dataclass(frozen=True)
class Facts:
    """What events say, over all runs that completed.

    Attributes:
        names: Namespace and name of each dataset, in one word.
        links: Symlink to the datasets that have it.
        types: Dataset and column to the types.
        edges: `target.column <- source.column` to the kinds of transformation.
    """

    names: set[str] = field(default_factory=set)
    links: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    edges: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def facts(path: Path) -> Facts:
    """Read events."""
    found = Facts()
    for event in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        for dataset in event.get("inputs", []) + event.get("outputs", []):
            add_dataset(found, dataset)
        if event["eventType"] == "COMPLETE":
            for output in event.get("outputs", []):
                add_edges(found, output)
    return found


def add_dataset(found: Facts, dataset: dict[str, Any]) -> None:
    """Add the names and columns of a dataset."""
    name, facets = name_of(dataset), dataset.get("facets", {})
    found.names.add(name)
    for link in facets.get("symlinks", {}).get("identifiers", []):
        found.links[f"{link['type']} {name_of(link)}"].add(name)
    for column in facets.get("schema", {}).get("fields", []):
        found.types[f"{name}.{column['name']}"].add(column["type"])


def add_edges(found: Facts, output: dict[str, Any]) -> None:
    """Add the column lineage of a run's output."""
    facet, name = output.get("facets", {}).get("columnLineage", {}), name_of(output)
    columns = {f"{name}.{column}": each["inputFields"] for column, each in facet.get("fields", {}).items()}
    for target, sources in {**columns, name: facet.get("dataset", [])}.items():
        for source in sources:
            ways = source.get("transformations", [])
            kinds = {f"{way['type']} {way.get('subtype')}{' masked' * bool(way.get('masking'))}" for way in ways}
            found.edges[f"{target} <- {name_of(source)}.{source['field']}"] |= kinds


def name_of(dataset: dict[str, Any]) -> str:
    """Return a dataset's namespace and name."""
    return f"{dataset['namespace']} {dataset['name']}"


def nodes(agent: Facts, export: Facts) -> Iterator[str]:
    """Name each table with two names: datasets with one symlink, or that end with one word and are each in one only."""
    for link in sorted(agent.links.keys() | export.links.keys()):
        if len(linked := agent.links.get(link, set()) | export.links.get(link, set())) > 1:
            yield f"two nodes: {link}: {', '.join(sorted(linked))}"
    for ours in sorted(export.names - agent.names):
        for theirs in sorted(agent.names - export.names):
            if re.split(r"[./]", ours)[-1] == re.split(r"[./]", theirs)[-1]:
                yield f"two nodes: {ours} and {theirs}"


def differences(agent: Facts, export: Facts) -> Iterator[str]:
    """Name what one says and the other does not, and where both say something else."""
    yield from only("dataset", agent.names, export.names)
    yield from only("symlink", pairs(agent.links), pairs(export.links))
    for kind, theirs, ours in (("column", agent.types, export.types), ("edge", agent.edges, export.edges)):
        yield from only(kind, theirs, ours)
        for key in sorted(theirs.keys() & ours.keys()):
            if theirs[key] != ours[key]:
                yield f"{kind}: {key}: the agent {', '.join(sorted(theirs[key]))}; we {', '.join(sorted(ours[key]))}"


def pairs(links: dict[str, set[str]]) -> set[str]:
    """Return each symlink with its dataset."""
    return {f"{link} of {name}" for link, names in links.items() for name in names}


def only(kind: str, theirs: Iterable[str], ours: Iterable[str]) -> Iterator[str]:
    """Name what is in one only."""
    for key in sorted(set(theirs) - set(ours)):
        yield f"{kind} only of the agent: {key}"
    for key in sorted(set(ours) - set(theirs)):
        yield f"{kind} only of ours: {key}"


def run_both(version: str, python: str, folder: Path) -> tuple[Facts, Facts]:
    """Run the job under the agent; return what the agent and what the export of its log says."""
    with ExitStack() as stack:
        servers.make_folder(stack)
        servers.postgres(stack)
        packages = ",".join((*logs.PACKAGES[version], DRIVER))
        log = logs.run("agent", python, logs.AGENT | {"spark.jars.packages": packages}, servers.PORT)
    store, events = str(folder / "store"), folder / "ours.ndjson"
    for words in (
        ["harvest", str(log), "--store", store, "--source", SOURCE, "--quiet"],
        ["export", "openlineage", "--all-runs", "--with-agent", "--store", store, "--output", str(events)],
    ):
        if run(words):
            sys.exit(f"failed: {' '.join(words)}")
    return facts(logs.EVENTS), facts(events)


def main() -> int:
    """Compare on each Spark of the command line."""
    unexplained = 0
    for version, python in (word.split("=", 1) for word in sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            agent, export = run_both(version, python, Path(folder))
        equal = sum(len(getattr(agent, each).keys() & getattr(export, each).keys()) for each in ("types", "edges"))
        print(f"Spark {version}: {len(agent.names & export.names)} datasets and {equal} columns and edges in both")
        for line in [*nodes(agent, export), *differences(agent, export)]:
            reason = next((f"{right}: {why}" for pattern, right, why in REASONS if re.search(pattern, line)), "")
            unexplained += not reason
            print(f"  {line}\n    {reason or 'NO REASON'}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
