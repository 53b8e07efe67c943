"""Plans that Spark never printed: found by `scripts/fuzz.py`. A gap at most, and never an error of ours."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

BROKEN = {
    "a union of nothing": "Union (1)\n\n\n(1) Union\n",
    "an update that lists no value": (
        "UpdateCommand (1)\n\n\n(1) UpdateCommand\nArguments: Delta[version=5, file:/w/t], (id#1L = 2)\n"
    ),
    "fewer values than generated columns": (
        "Generate (2)\n+- Scan parquet t (1)\n\n\n(1) Scan parquet t\nOutput [1]: [a#1L]\n\n(2) Generate\n"
        "Input [1]: [a#1L]\nArguments: replicaterows(a#1L, a#1L), [a#1L], false, [b#2L, c#3L]\n"
    ),
    "an assignment of nothing": (
        "MergeIntoPaimonTable (1)\n\n\n(1) MergeIntoPaimonTable\nArguments: PrimaryKeyFileStoreTable[shop.orders], "
        "SubqueryAlias t, SubqueryAlias s, (a#1L = b#2L), [updateaction(None, assignment(a#1L))]\n"
    ),
}


@pytest.mark.parametrize("plan", BROKEN.values(), ids=BROKEN)
def test_a_plan_that_is_broken_is_no_error_of_ours(plan: str) -> None:
    found = trace_texts(f"== Physical Plan ==\n{plan}\n")
    assert GapReason.INTERNAL_ERROR not in {gap.reason for gap in found.gaps}


def reusing(*targets: int) -> str:
    """A union of exchanges 1, 2, … of which each holds a reuse of the one at its place."""
    count = len(targets)
    tree = [f"Union ({2 * count + 1})"]
    exchanges, reuses = [], []
    for number, target in enumerate(targets, 1):
        tree += [f":- Exchange ({number})", f":  +- ReusedExchange ({count + number})"]
        exchanges.append(f"({number}) Exchange\nInput [1]: [a#{number}]\nArguments: SinglePartition\n")
        reuses.append(f"({count + number}) ReusedExchange [Reuses operator id: {target}]\nOutput [1]: [a#{number}]\n")
    blocks = [*exchanges, *reuses, f"({2 * count + 1}) Union\n"]
    return "== Physical Plan ==\n" + "\n".join(tree) + "\n\n\n" + "\n".join(blocks)


@pytest.mark.parametrize(
    "targets",
    [(1,), (4,), (2, 1), (2, 3, 1), (1, 1, 1), (5, 4, 6), tuple(range(2, 3_001)), tuple(range(3_000, 1, -1))],
    ids=["parent", "no operator", "each other", "ring", "same", "other reuses", "chain", "reversed chain"],
)
def test_a_reused_exchange_that_leads_back_to_itself_is_a_gap(targets: tuple[int, ...]) -> None:
    found = trace_texts(reusing(*targets))
    assert {gap.reason for gap in found.gaps} == {GapReason.DANGLING_ATTRIBUTE}


def test_structs_whose_literals_close_their_brackets_are_a_gap() -> None:
    built = (
        "inline(array(named_struct(p, concat(trim(concat(cast(a#1 as string), -), None), )), cast(b#2 as string), -, "
        'array_join(array(format_string([%s, concat(cast(a#1 as string), -)), "q"), x, None), )), q, '
        "length(concat(cast(b#2 as string), )))))"
    )
    found = trace_texts(
        "== Physical Plan ==\nGenerate (2)\n+- Scan parquet spark_catalog.db.t (1)\n\n\n"
        "(1) Scan parquet spark_catalog.db.t\nOutput [2]: [a#1, b#2]\n\n"
        f"(2) Generate\nInput [2]: [a#1, b#2]\nArguments: {built}, [b#2], false, [p#3, q#4]\n"
    )
    assert {gap.reason for gap in found.gaps} == {GapReason.UNPARSED_EXPRESSION}


@pytest.mark.parametrize(
    ("scan", "source"),
    [
        ("parquet ", "InMemoryFileIndex [file:/x/readings], Later: [1"),
        ("parquet ", "InMemoryFileIndex [file:/x/CachedRDDBuilder(a"),
        ("parquet d.CachedRDDBuilder(a", "InMemoryFileIndex [file:/x/readings]"),
    ],
)
def test_a_source_is_not_made_of_text_with_open_brackets(scan: str, source: str) -> None:
    found = trace_texts(
        f"== Physical Plan ==\nScan {scan} (1)\n\n\n(1) Scan {scan}\nOutput [1]: [a#1L]\nBatched: true\n"
        f"Location: {source}\nReadSchema: struct<a:bigint>\n\n"
    )
    names = [use.dataset.name for use in found.accesses]
    assert not any("(" in name or "]" in name for name in names)
    assert "file:///x/readings" in names or [gap.reason for gap in found.gaps] == [GapReason.UNKNOWN_SOURCE]


@pytest.mark.parametrize("location", ["[a#1L, b#2]", "CachedRDDBuilder(a", "file:/x/y]"])
def test_a_target_is_not_made_of_text_with_open_brackets(location: str) -> None:
    found = trace_texts(
        "== Physical Plan ==\nExecute InsertIntoHadoopFsRelationCommand (2)\n+- Range (1)\n\n\n"
        "(1) Range\nOutput [1]: [id#1L]\nArguments: Range (0, 3, step=1, splits=Some(2))\n\n"
        "(2) Execute InsertIntoHadoopFsRelationCommand\nInput [1]: [id#1L]\n"
        f"Arguments: {location}, false, Parquet, [path=/x], Overwrite, [id]\n\n"
    )
    assert (found.target, [gap.reason for gap in found.gaps]) == (None, [GapReason.UNKNOWN_TARGET])
