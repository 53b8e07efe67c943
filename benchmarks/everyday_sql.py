"""Holds the lineage of everyday SQL against a truth written by hand, on real Sparks.

    python benchmarks/everyday_sql.py FOLDER 3.1=PYTHON@JAVA_11 3.5=PYTHON 4.1=PYTHON 4.3=PYTHON --show

runs the statements of `benchmarks/everyday` (`everyday_truth.py` describes the files) on each Spark, in formatted and
in extended text, and compares. Per target column the DIRECT, CONDITIONAL, WINDOW and SORT sources must be those of the
truth; of what influences all rows none may be missing, and no other column may influence them. A folder that has logs
already is compared only. `--jars` adds table formats, `4.1=delta:PATH,PATH`, `--hive` Hive's catalog; Sparks before 3.1
print extended text only. `--expressions` plans the expressions of
`benchmarks/everyday/expressions.txt` in select lists, conditions, keys and sorts instead, without running them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import Edge
from everyday_truth import Sources, Statement, expressions, load
from plan_texts import text_of

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "statement_runner.py"
MODES = ("formatted", "extended")
COLUMN_KINDS = ("DIRECT", "CONDITIONAL", "WINDOW", "SORT")
PREVIEWS = ("spark.sql.timeType.enabled=true", "spark.sql.geospatial.enabled=true")
"""Types of Spark 4.1 and later that are off by default."""
EXTENSIONS = {
    "delta": (
        "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog",
    ),
    "hive": ("spark.sql.catalogImplementation=hive",),
}


def source(edge: Edge) -> str:
    """A source column as the truth names it: the dataset's last name and the column."""
    dataset = (edge.source_dataset or "").rstrip("/")
    last = dataset.rpartition("/")[2] if "/" in dataset else dataset.rpartition(".")[2]
    return f"{last}.{edge.source_column}"


def differences(lineage: StatementLineage, truth: Statement) -> Iterator[tuple[str, str]]:
    """What is wrong with a statement's lineage: `missing`, `extra`, `columns` or `target`, and where."""
    targets = _targets(lineage)
    if truth.target and not _written(targets, truth):
        yield "target", f"writes {', '.join(targets) or 'nothing'}, not {truth.target}"
    edges = [edge for edge in lineage.edges if len(targets) < 2 or _written([edge.target_dataset or ""], truth)]
    by_column: dict[int, list[Edge]] = {}
    for edge in edges:
        if edge.target_ordinal is not None and edge.target_column is not None:
            by_column.setdefault(edge.target_ordinal, []).append(edge)
    names = [(by_column[ordinal][0].target_column or "").lower() for ordinal in sorted(by_column)]
    if names != [name.lower() for name, _ in truth.columns]:
        yield "columns", f"columns {', '.join(names)} instead of {', '.join(name for name, _ in truth.columns)}"
    for ordinal, (name, kinds) in zip(sorted(by_column), truth.columns, strict=False):
        for kind in COLUMN_KINDS:
            found = {
                source(edge)
                for edge in by_column[ordinal]
                if edge.source_column
                and (edge.dependency == "DIRECT" if kind == "DIRECT" else edge.transformation == kind)
            }
            yield from _compared(f"{name} {kind}", found, kinds.get(kind, Sources()))
    yield from _rows(edges, truth)


def _targets(lineage: StatementLineage) -> list[str]:
    return [use.dataset.name for use in lineage.accesses if use.direction == "write"]


def _written(targets: list[str], truth: Statement) -> bool:
    return any(f".{target.replace('/', '.')}".endswith(f".{truth.target}") for target in targets)


def _rows(edges: list[Edge], truth: Statement) -> Iterator[tuple[str, str]]:
    on_rows = [edge for edge in edges if edge.target_column is None and edge.source_column]
    for kind, wanted in truth.rows.items():
        if kind != "MAY":
            missing = wanted.missing({source(edge) for edge in on_rows if edge.transformation == kind})
            if missing:
                yield "missing", f"{kind} misses {', '.join(sorted(missing))}"
    allowed = Sources(optional=frozenset().union(*(each.wanted | each.optional for each in truth.rows.values())))
    if extra := allowed.extra({source(edge) for edge in on_rows}):
        yield "extra", f"extra influence of {', '.join(sorted(extra))}"


def _compared(what: str, found: set[str], wanted: Sources) -> Iterator[tuple[str, str]]:
    if missing := wanted.missing(found):
        yield "missing", f"{what} misses {', '.join(sorted(missing))}"
    if extra := wanted.extra(found):
        yield "extra", f"{what} has extra {', '.join(sorted(extra))}"


def traced(folder: Path) -> dict[str, dict[str, list[tuple[StatementLineage, str]]]]:
    """Explain mode and job description to the lineages, each with its plan text."""
    found: dict[str, dict[str, list[tuple[StatementLineage, str]]]] = {}
    for log in find_logs([str(folder / "logs")]):
        read = read_log(log)
        mode = read.application.app_name if read.application.app_name in MODES else ""
        found.setdefault(mode, {}).update(_by_description(read))
    return found


def traced_log(path: Path) -> dict[str, list[tuple[StatementLineage, str]]]:
    """Job description to the lineages of a log."""
    (log,) = find_logs([str(path)])
    return _by_description(read_log(log))


def _by_description(read: AssembledLog) -> dict[str, list[tuple[StatementLineage, str]]]:
    own: dict[str, list[tuple[StatementLineage, str]]] = {}
    for each in trace_log(read):
        own.setdefault(each.root.description, []).append((each.lineage, text_of(each.root)))
    return own


def chosen(lineages: list[tuple[StatementLineage, str]], truth: Statement) -> tuple[StatementLineage, str] | None:
    """The lineage among a description's executions that is the statement's: its write, or its query."""
    if not lineages:
        return None
    if truth.target:
        writes = [each for each in lineages if each[0].target is not None]
        own = [each for each in writes if _written(_targets(each[0]), truth)]
        candidates = own or writes or lineages
        with_edges = [each for each in candidates if each[0].edges]  # not the definition, nor a view of its name
        return (with_edges or candidates)[-1]
    queries = [each for each in lineages if each[0].command == "query"]
    return (queries or lineages)[-1]


def compare(folder: Path, statements: list[Statement], *, show: bool) -> None:
    """Prints how many statements of a folder's logs are right, have a gap, or are silently wrong."""
    failed = {}
    for line in (folder / "failed.jsonl").read_text(encoding="utf-8").splitlines():
        failure = json.loads(line) if line.startswith('{"name') else {"name": "", "error": line}  # a warning of Spark's
        failed[failure["name"]] = failure["error"]
    for mode, known in traced(folder).items():
        counts: Counter[str] = Counter()
        for truth in (each for statement in statements for each in (statement, *statement.further)):
            if not truth.has_truth:
                continue
            found = chosen(known.get(truth.name, []), truth)
            if truth.name in failed or found is None:
                counts["not run"] += 1
                if show:
                    print(f"--- {folder.name} {mode} {truth.name} did not run: {failed.get(truth.name, '')[:200]}")
                continue
            counts.update({"statements": 1, verdict(f"{folder.name} {mode}", found, truth, show=show): 1})
        words = ", ".join(f"{word} {count}" for word, count in sorted(counts.items()))
        print(f"{folder.name} {mode}: {words}", flush=True)


def verdict(where: str, found: tuple[StatementLineage, str], truth: Statement, *, show: bool) -> str:
    """Whether a statement's lineage is right; prints what is wrong, and the plan without its trees."""
    lineage, text = found
    errors = list(differences(lineage, truth))
    gaps = [f"gap {gap.reason} {gap.operator}: {gap.detail}" for gap in lineage.gaps]
    if (errors or gaps) and show:
        print(f"--- {where} {truth.name}: {truth.sql}")
        print("\n".join(f"    {each}" for each in (*(each for _, each in errors), *gaps)))
        physical = text.rpartition("== Physical Plan ==")[2].split("\n")
        print("\n".join(f"        | {line[:400]}" for line in physical if line.strip() and "Location" not in line))
    return "gap" if gaps else "silently wrong" if errors else "right"


def write(version: str, folder: Path, statements: list[Statement], *, planned: bool) -> None:
    """Writes the statements of one Spark for its runner."""
    lines = []
    for number, each in enumerate(statements):
        joins = {"spark.sql.autoBroadcastJoinThreshold": "-1"} if number % 2 else {}
        named = {"name": each.name} if each.has_truth else {}
        modes = {"modes": MODES} if planned else {}
        text = {"code" if "code" in each.flags else "sql": each.sql}
        lines.append(json.dumps({**named, **text, "settings": joins, **modes}) + "\n")
    (folder / "statements.jsonl").write_text("".join(lines), encoding="utf-8")


def run(python: str, folder: Path, words: list[str]) -> None:
    """Runs a folder's statements on one Spark."""
    python, _, java_home = python.partition("@")
    command = [python, str(RUNNER), str(folder / "statements.jsonl"), str(folder), *words]
    environment = {**os.environ, **({"JAVA_HOME": java_home} if java_home else {})}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    (folder / "failed.jsonl").write_text(ran.stdout, encoding="utf-8")
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    for line in ran.stdout.splitlines():
        if line.startswith('{"name": null'):
            print(f"{folder.name}: {line}")


def _modes(version: str, wanted: Sequence[str]) -> list[str]:
    """The explain modes of a Spark among those wanted: before 3.1 there is one."""
    has_modes = tuple(map(int, version.split(".")[:2])) >= (3, 1)
    return [mode for mode in wanted if has_modes or mode == "extended"]


def main() -> None:
    """Runs what is not run yet, and compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON")
    parser.add_argument("--jars", nargs="*", default=[], metavar="VERSION=FORMAT:JARS")
    parser.add_argument("--expressions", action="store_true")
    parser.add_argument("--files", default="*", help="a pattern of the files of benchmarks/everyday")
    parser.add_argument("--hive", action="store_true", help="run what needs Hive's catalog")
    parser.add_argument("--modes", nargs="*", default=MODES)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    jars: dict[str, dict[str, str]] = {}
    for each in options.jars:
        version, _, rest = each.partition("=")
        name, _, paths = rest.partition(":")
        jars.setdefault(version, {})[name] = paths
    planned = options.expressions
    known = expressions(HERE / "everyday" / "expressions.txt") if planned else load(HERE / "everyday", options.files)
    for argument in options.sparks:
        version, _, python = argument.partition("=")
        formats = {**jars.get(version, {}), **({"hive": ""} if options.hive else {})}
        statements = [each for each in known if each.runs_on(version, frozenset(formats))]
        for mode in ("planned",) if planned else _modes(version, options.modes):
            folder = options.folder / f"{version}-{mode}"
            if not (folder / "logs").exists():
                folder.mkdir(parents=True, exist_ok=True)
                write(version, folder, statements, planned=planned)
                settings = [
                    f"spark.sql.ui.explainMode={mode}",
                    *(each for name in formats for each in EXTENSIONS[name]),
                ]
                if options.hive:
                    metastore = f"jdbc:derby:;databaseName={folder.absolute()}/metastore;create=true"
                    settings.append(f"spark.hadoop.javax.jdo.option.ConnectionURL={metastore}")
                if any(formats.values()):
                    settings.append(f"spark.jars={','.join(filter(None, formats.values()))}")
                run(python, folder, ["--explain", *PREVIEWS] if planned else settings)
            compare(folder, statements, show=options.show)


if __name__ == "__main__":
    main()
