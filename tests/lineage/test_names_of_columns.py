"""Names of a query's columns that look like an alias, and literals that do: `x AS y AS z#1`."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

SCAN = "spark_catalog.default.orders"
CASE = "CASE WHEN (qty#12L > 1) THEN x AS y ELSE status#13 END AS z#22"
IF = "if ((qty#12L > 1)) x AS y else status#13 AS z#22"
BRANCHES = {("z", "qty", "CONDITIONAL"), ("z", "status", "TRANSFORMATION")}
INSET = "status#13 INSET a, b, c, d, e, f, g, h, i, j, x AS y"


def formatted(item: str, *, written: str = "") -> StatementLineage:
    """Trace a Project over a scan as Spark 4.3 prints it, below a write if the name of its column is given."""
    write = "Execute InsertIntoHadoopFsRelationCommand (4)\n+- WriteFiles (3)\n   +- " if written else ""
    indent = "      " if written else ""
    blocks = (
        f"(3) WriteFiles\nInput [1]: [{written}]\n\n(4) Execute InsertIntoHadoopFsRelationCommand\nInput: []\n"
        f"Arguments: file:/w/t, false, Parquet, [path=file:/w/t], Append, [{written.partition('#')[0]}]\n\n"
    )
    return trace_texts(
        f"== Physical Plan ==\n{write}* Project (2)\n{indent}+- Scan parquet {SCAN} (1)\n\n\n"
        f"(1) Scan parquet {SCAN}\nOutput [2]: [qty#12L, status#13]\nReadSchema: struct<qty:bigint,status:string>\n\n"
        f"(2) Project [codegen id : 1]\nOutput [1]: [{item}]\nInput [2]: [qty#12L, status#13]\n\n"
        f"{blocks if written else ''}"
    )


def extended(item: str, column: str) -> StatementLineage:
    """Trace the same as extended text, whose analyzed plan has the names of the columns above it."""
    logical = f"Project [{item}]\n+- Relation {SCAN}[qty#12L,status#13] parquet\n"
    return trace_texts(
        f"== Parsed Logical Plan ==\n'Project ['z]\n+- 'UnresolvedRelation [orders], [], false\n\n"
        f"== Analyzed Logical Plan ==\n{column}: string\n{logical}\n== Optimized Logical Plan ==\n{logical}\n"
        f"== Physical Plan ==\n*(1) Project [{item}]\n+- *(1) ColumnarToRow\n   +- FileScan parquet "
        f"{SCAN}[qty#12L,status#13] Batched: true, ReadSchema: struct<qty:bigint,status:string>\n"
    )


def names(lineage: StatementLineage) -> set[str | None]:
    return {edge.target_column for edge in lineage.edges}


@pytest.mark.parametrize(
    "item",
    [
        "x AS y AS z#9",
        "x AS y AS z#1 AS z#17",
        "x, y AS z AS z#63",
        f"{INSET} AS z#26",
        "status#13 LIKE %x_ AS y AS z#24",
        "if ((qty#12L > 1)) x else u AS v AS z#23",
    ],
)
def test_a_name_that_nothing_decides_is_a_gap_and_the_shortest_one(item: str) -> None:
    lineage = formatted(item)
    assert names(lineage) == {"z"}
    assert [(gap.reason, gap.operator) for gap in lineage.gaps] == [(GapReason.UNPARSED_EXPRESSION, "Project")]
    assert "the name of z can also be " in lineage.gaps[0].detail


@pytest.mark.parametrize("name", ["z", "y AS z"])
def test_a_write_and_the_schema_of_extended_text_decide(name: str) -> None:
    for lineage in (formatted("x AS y AS z#9", written=f"{name}#9"), extended("x AS y AS z#9", name)):
        assert names(lineage) == {name}
        assert not lineage.gaps


@pytest.mark.parametrize("item", [CASE, IF])
def test_a_branch_with_an_as_does_not_end_the_expression(item: str) -> None:
    for lineage in (formatted(item), extended(item, "z")):
        assert {
            (each.target_column, each.source_column, each.transformation.name) for each in lineage.edges
        } >= BRANCHES
        assert not lineage.gaps


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("qty#12L AS y AS z#20L", "y AS z"),
        ("EndsWith(status#13, x) AS y AS z#25", "y AS z"),
        ("EndsWith(status#13, x AS y) AS z#24", "z"),
        ("x AS y AS x AS y#27", "x AS y"),
        ("cast(qty#12L as string) AS CAST(qty AS STRING)#5", "CAST(qty AS STRING)"),
        ("CAST(x AS INT) AS q#55", "q"),
        (
            "CASE WHEN (qty#12L > 1) THEN x AS y END AS CASE WHEN (qty > 1) THEN x AS y END#3",
            "CASE WHEN (qty > 1) THEN x AS y END",
        ),
    ],
)
def test_an_expression_with_an_attribute_and_its_text_decide(item: str, name: str) -> None:
    lineage = formatted(item)
    assert names(lineage) == {name}
    assert not lineage.gaps
