"""Holds the lineage of random statements against what they were made of, on real Sparks.

    python benchmarks/random_statements.py FOLDER 3.5=PYTHON 4.1=PYTHON 4.3=PYTHON --count 200 --seed 1

makes nested SELECTs (`random_relations.py`, `random_idioms.py`, `random_dialect.py`) and DataFrame code
(`random_frames.py`, `random_steps.py`, every third statement) with odd names and with literals that look like plans,
runs them on each Spark in formatted and in extended text, with default and raised
`spark.sql.debug.maxToStringFields`, and compares. `--seeds 50` runs COUNT statements of each of 50 seeds in one
application, and `--variants formatted extended` plans in these variants only.
`--wide` makes statements of up to 60 columns (`random_wide.py`) instead: with the default limit of 25, what Spark cuts
off is a gap. `--explain` plans each statement in all four variants and executes none, which is faster. A folder that
has plans already is compared only. `--show N` prints the first N statements that differ.

Per target column the DIRECT sources must be those of the statement, and so must the CONDITIONAL, WINDOW and SORT ones;
of what influences all rows none may be missing. Setting a field of a struct checks whether the struct is NULL, which is
CONDITIONAL where the optimizer keeps the check, and is not required. Spark's optimizer removes what it can do without:
a source that no scan of the plan reads (`ReadSchema`) is not expected. `--proofs` prints the plans of these statements,
and of all others that differ without a gap: a constant in the place of a source is in the plan. A statement whose
sources are all right once the rules that simplify expressions are off (`--plain`) is right. `--classify` plans all
statements that differ without a gap once more, and decides by the objects of the analyzed and the optimized plan who
made each difference (`random_proofs.py`): Spark's optimizer, or this program.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import Edge
from plan_texts import text_of
from random_dialect import Dialect
from random_frames import Frame
from random_proofs import WORST, Difference, lines_of, proofs, statements_of, verdict
from random_relations import TABLES, Relation, definitions
from random_steps import Steps
from random_wide import Wide, wide_definitions

RUNNER = Path(__file__).resolve().parent / "statement_runner.py"
_CUT_SCHEMA = re.compile(r"ReadSchema: struct<[^\n]*\.\.\.")
COLUMN_KINDS = ("CONDITIONAL", "WINDOW", "SORT")
STRUCTS = frozenset(
    f"{table}.{name}" for table, columns in TABLES.items() for name, kind, _ in columns if kind == "place"
)
RULES = "org.apache.spark.sql.catalyst.optimizer"
SIMPLIFYING = ",".join(
    f"{RULES}.{rule}"
    for rule in """
    NullPropagation SimplifyConditionals ConstantFolding BooleanSimplification PushFoldableIntoBranches
    SimplifyBinaryComparison ConstantPropagation FoldablePropagation SimplifyCaseConversionExpressions
    ReplaceNullWithFalseInPredicate SimplifyConditionalsInPredicate OptimizeIn NormalizeFloatingNumbers
    """.split()
)


@dataclass(frozen=True)
class Truth:
    """What a statement was made of: kind to source columns, of each target column and of all rows.

    Attributes:
        columns: Of each target column.
        rows: Of all rows.
        checked: Structs that may be checked for NULL.
    """

    columns: tuple[tuple[str, Mapping[str, frozenset[str]]], ...]
    rows: Mapping[str, frozenset[str]]
    checked: frozenset[str] = frozenset()


def write_statements(path: Path, version: str, seeds: Sequence[int], options: argparse.Namespace) -> None:
    """Writes the statements of some seeds for one Spark, with what they are made of."""
    made = wide_definitions() if options.wide else definitions()
    lines: list[dict[str, object]] = [{"sql": sql} for sql in made]
    for seed in seeds:
        for number in range(options.count):
            variant = options.variants[number % len(options.variants)]
            joins = {"spark.sql.autoBroadcastJoinThreshold": "-1"} if number // 4 % 2 else {}
            lines.append(
                {
                    "name": f"s{number}" if len(seeds) == 1 else f"s{seed}x{number}",
                    **statement_of(version, seed * 100_000 + number, number, wide=options.wide),
                    "variant": variant,
                    "modes": options.variants,
                    "settings": {**VARIANTS[variant], **joins},
                }
            )
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def statement_of(version: str, seed: int, number: int, *, wide: bool) -> dict[str, object]:
    """A random statement with what it is made of; over wide tables only if so desired."""
    if wide:
        query: Relation = Wide(seed, version).query(1 + number % 3)
    elif number % 3 == 2:
        code, frame = Steps(seed, version).code(1 + number % 5)
        return {"code": code, **truth_of(frame)}
    else:
        query = Dialect(seed, version).query(1 + number % 4)
    return {"sql": query.sql, **truth_of(query)}


def truth_of(relation: Relation | Frame) -> dict[str, object]:
    """What a query or a data frame is made of, as `Truth` reads it."""
    columns = [
        [
            each.sql[1:-1],
            {
                "DIRECT": sorted(each.direct),
                "CONDITIONAL": sorted(each.chosen),
                "WINDOW": sorted(each.windowed),
                "SORT": sorted(each.ordered),
            },
        ]
        for each in relation.columns
    ]
    return {"columns": columns, "rows": {kind: sorted(names) for kind, names in relation.rows.items()}}


def truths(path: Path) -> dict[str, tuple[str, str, Truth]]:
    """Name of a statement to its text, its variant and its truth."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        statement = json.loads(line)
        if "columns" in statement:
            columns = tuple(
                (name, {kind: frozenset(of) for kind, of in kinds.items()}) for name, kinds in statement["columns"]
            )
            rows = {kind: frozenset(of) for kind, of in statement.get("rows", {}).items()}
            text = statement.get("sql") or statement["code"]
            checked = STRUCTS if ".withField(" in text else frozenset()
            found[statement["name"]] = (text, statement["variant"], Truth(columns, rows, checked))
    return found


def read_columns(lineage: StatementLineage) -> set[str]:
    """The columns that the scans of a plan read (`ReadSchema`, partition columns), each with what it is nested in.

    A column that is listed without fields is read with all of them; it ends in a dot.
    """
    found: set[str] = set()
    for use in lineage.accesses:
        table = use.dataset.name.rpartition(".")[2]
        for column in use.columns:
            name = f"{table}.{column}"
            found.add(f"{name}.")
            while "." in name:
                found.add(name)
                name = name.rpartition(".")[0]
    return found


def without_removed(lineage: StatementLineage, truth: Truth, text: str) -> Truth:
    """The truth without the sources that the optimizer removed; the whole truth where Spark cut a `ReadSchema`."""
    if _CUT_SCHEMA.search(text):
        return truth
    read = read_columns(lineage)

    def is_read(source: str) -> bool:
        return source in read or any(each.endswith(".") and source.startswith(each) for each in read)

    def kept(kinds: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        return {kind: frozenset(each for each in names if is_read(each)) for kind, names in kinds.items()}

    return Truth(tuple((name, kept(kinds)) for name, kinds in truth.columns), kept(truth.rows), truth.checked)


def differences(lineage: StatementLineage, whole: Truth, text: str = "") -> Iterator[Difference]:
    """What is wrong with a statement's lineage, leaving out sources that no scan of the plan's text reads."""
    truth = without_removed(lineage, whole, text)
    edges = lineage.edges
    by_column: dict[int, list[Edge]] = {}
    for edge in edges:
        if edge.target_ordinal is not None:
            by_column.setdefault(edge.target_ordinal, []).append(edge)
    ordinals = sorted(by_column)
    if len(ordinals) != len(truth.columns):
        yield Difference("direct", f"{len(ordinals)} columns instead of {len(truth.columns)}")
    for place, (ordinal, (name, kinds)) in enumerate(zip(ordinals, truth.columns, strict=False)):
        own = by_column[ordinal]
        if (own[0].target_column or "").lower() != name.lower():
            yield Difference("name", f"{own[0].target_column} instead of {name}")
        direct = {_source(edge) for edge in own if edge.dependency == "DIRECT"}
        yield from _sets(f"{name} DIRECT", (place, "DIRECT"), direct, kinds["DIRECT"])
        for kind in COLUMN_KINDS:
            found = {_source(edge) for edge in own if edge.transformation == kind}
            wanted = kinds.get(kind, frozenset())
            yield from _sets(f"{name} {kind}", (place, kind), found - (truth.checked - wanted), wanted)
    on_rows = [edge for edge in edges if edge.target_column is None]
    anything = {_source(edge) for edge in on_rows}
    for kind, sources in truth.rows.items():
        if kind == "INFERRED":
            continue
        found = {_source(edge) for edge in on_rows if edge.transformation == kind}
        if missing := sources - found:
            text = f"{kind} misses {', '.join(sorted(missing))}"
            yield Difference("rows", text, ("rows", kind), missing, found=frozenset(found))
    if extra := anything - frozenset().union(*truth.rows.values(), truth.checked):
        yield Difference("rows", f"extra influence of {', '.join(sorted(extra))}", ("rows", ""), frozenset(extra), True)


def _sets(what: str, where: tuple[int, str], found: set[str], wanted: frozenset[str]) -> Iterator[Difference]:
    kind = "direct" if where[1] == "DIRECT" else "indirect"
    if missing := wanted - found:
        yield Difference(kind, f"{what} misses {', '.join(sorted(missing))}", where, missing, found=frozenset(found))
    if extra := frozenset(found - wanted):
        yield Difference(kind, f"{what} has extra {', '.join(sorted(extra))}", where, extra, True)


def _source(edge: Edge) -> str:
    return f"{(edge.source_dataset or '').rpartition('.')[2]}.{edge.source_column}"


def traced(folder: Path, variants: Sequence[str] = ()) -> Iterator[tuple[str, str, StatementLineage, str]]:
    """Name, variant, lineage and plan text of the statements in a folder's event logs; of some variants only."""
    for log in find_logs([str(folder / "logs")]):
        read = read_log(log)
        name = read.application.app_name
        if variants and name in VARIANTS and name not in variants:
            continue
        texts = {execution.description: text_of(execution) for execution in read.executions}
        for statement in trace_log(read):
            known = texts[statement.root.description]
            yield statement.root.description, name if name in VARIANTS else "", statement.lineage, known


def compare(folder: Path, version: str, show: int, *, proofs: bool = False) -> Mapping[str, Counter[str]]:
    """Compares a folder's plans with its statements; prints what differs.

    With `proofs` it prints the plan of each statement that lacks a source and has no gap: a constant that the optimizer
    made of it is in the plan's text, also where another column of the plan reads the source.

    Returns:
        Variant to counts.
    """
    known = truths(folder / "statements.jsonl")
    counts: dict[str, Counter[str]] = {}
    for name, planned, lineage, planned_text in traced(folder):
        if name not in known:
            continue
        sql, variant, truth = known[name]
        variant = planned or variant
        errors = list(differences(lineage, truth, planned_text))
        gaps = [f"{gap.reason} {gap.operator}: {gap.detail}" for gap in lineage.gaps]
        kinds = {each.kind for each in errors}
        tally = counts.setdefault(variant, Counter())
        tally.update({"statements": 1, "exact": not errors and not gaps, "gap": bool(gaps)})
        tally.update({f"{kind} wrong": kind in kinds for kind in ("direct", "indirect", "rows", "name")})
        tally["silent"] += "direct" in kinds and not gaps
        tally["optimized"] += without_removed(lineage, truth, planned_text) != truth
        if proofs and not gaps and (errors or without_removed(lineage, truth, planned_text) != truth):
            print(f"--- {version} {variant} {name}: {sql}")
            print("\n".join(f"    {each.kind}: {each.text}" for each in differences(lineage, truth)))
            print(f"    the plan reads {', '.join(sorted(read_columns(lineage)))}\n{planned_text}")
        if (errors or gaps) and show > 0:
            show -= 1
            print(f"--- {version} {variant} {name}: {sql}")
            print(
                "\n".join(
                    [*(f"    {each.kind}: {each.text}" for each in errors), *(f"    gap {gap[:300]}" for gap in gaps)]
                )
            )
    return counts


def classify(folder: Path, version: str, python: str) -> Mapping[str, Counter[str]]:
    """Plans the statements that differ once more, and prints who made each difference, with the plans' lines.

    Nothing is left out here: a source that no scan reads is a difference, which the plan's tree must prove. Texts with
    raised limits are left out.

    Returns:
        Variant to the statements that differ without a gap, by who made the worst difference.
    """
    known = truths(folder / "statements.jsonl")
    differing: list[tuple[str, str, list[Difference]]] = []
    for name, planned, lineage, _ in traced(folder, ("formatted", "extended")):
        if name in known and not lineage.gaps and (errors := list(differences(lineage, known[name][2]))):
            differing.append((name, planned or known[name][1], errors))
    own = folder / "trees"
    names = {name for name, _, _ in differing}
    if not (own / "trees.jsonl").exists():
        own.mkdir(exist_ok=True)
        text = statements_of(folder / "statements.jsonl", names)
        (own / "statements.jsonl").write_text(text, encoding="utf-8")
        run(python, own, "--trees")
    proved = proofs(own / "trees.jsonl")
    counts: dict[str, Counter[str]] = {}
    for name, variant, errors in sorted(differing, key=lambda each: (each[0], each[1])):
        made = [(verdict(each, proved.get(name)), each) for each in errors]
        counts.setdefault(variant, Counter())[min((each for each, _ in made), key=WORST.index)] += 1
        print(f"--- {version} {variant} {name}: {known[name][0]}")
        for maker, each in made:
            print(f"    {maker}: {each.kind}: {each.text}")
            if name in proved:
                print("\n".join(f"        {line}" for line in lines_of(each, proved[name])))
    return counts


VARIANTS = {
    "formatted": {"spark.sql.ui.explainMode": "formatted"},
    "extended": {"spark.sql.ui.explainMode": "extended"},
    "formatted-wide": {"spark.sql.ui.explainMode": "formatted", "spark.sql.debug.maxToStringFields": "2000"},
    "extended-wide": {"spark.sql.ui.explainMode": "extended", "spark.sql.debug.maxToStringFields": "2000"},
}


def run(python: str, folder: Path, *words: str) -> None:
    """Runs a folder's statements on one Spark."""
    command = [python, str(RUNNER), str(folder / "statements.jsonl"), str(folder), *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    (folder / "failed.jsonl").write_text(ran.stdout, encoding="utf-8")
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])


def main() -> None:
    """Makes, runs and compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("sparks", nargs="+", metavar="VERSION=PYTHON")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--variants", nargs="*", default=list(VARIANTS), choices=VARIANTS)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--proofs", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--classify", action="store_true")
    options = parser.parse_args()
    for place, argument in enumerate(options.sparks):
        version, _, python = argument.partition("=")
        seed = options.seed * 10 + place
        words = [word for word in ("wide", "plain", "explain") if getattr(options, word)]
        seeds = range(seed, seed + 10 * options.seeds, 10)
        folder = options.folder / "-".join([version, str(seed), *words])
        if not (folder / "logs").exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_statements(folder / "statements.jsonl", version, seeds, options)
            rules = [f"spark.sql.optimizer.excludedRules={SIMPLIFYING}"] if options.plain else []
            run(python, folder, *rules, *(["--explain"] if options.explain else []))
        for variant, tally in compare(folder, version, options.show, proofs=options.proofs).items():
            counts = ", ".join(f"{word} {count}" for word, count in tally.items())
            print(f"{folder.name} {variant}: {counts}", flush=True)
        if options.classify:
            for variant, tally in classify(folder, version, python).items():
                made = ", ".join(f"{word} {count}" for word, count in tally.items())
                print(f"{folder.name} {variant}: differ without a gap: {made}", flush=True)


if __name__ == "__main__":
    main()
