"""Rows through RDDs, literals with brackets in caches, and conditions on fields, written before any of their logs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("values-*.zstd"))
VALUES = {
    "r_filter": "a: orders; b: orders",
    "r_flat": "a: orders; b: orders",
    "r_index": "a: orders; b: orders",
    "r_grouped": "a: orders; b: orders",
    "r_union": "a: orders prices; b: orders prices",
    "r_joined": "a: orders prices; b: orders prices",
    "r_cogroup": "a: orders prices; b: orders prices",
    "r_kept": "a: orders; b: orders",
    "r_viewed": "a: orders; w: prices.w; *: orders prices.id",
    "r_sorted": "a: orders; b: orders",
    "r_inferred": "a: orders; b: orders",
    "r_of_cached": "a: orders; b: orders",
    "r_filtered": "s: orders; *: orders",
    "r_aggregated_before": "a: orders; b: orders",
    "r_local": "a:; b:",
    "r_of_table": "a: from_rdd.a; b: from_rdd.b",
    "from_rdd": "a: orders; b: orders",
    "b_where": "b: src.b; *: src.a",
    "b_concat": "x: src.a; b: src.b",
    "b_regexp": "x: src.a; c: src.c",
    "b_split": "x: src.a; b: src.b; *: src.b",
    "b_case": "x: src.b; c: src.c",
    "b_like": "b: src.b; *: src.a src.c",
    "b_union": "a: src.a src.c; lit:",
    "b_forged": "x: src.a; b: src.b",
    "b_struct": "x: src.a; y: src.b",
    "b_map": "x: src.b",
    "b_alias": "x: src.b; y: src.c",
    "b_join": "x: src.b; y: src.a; *: src.a src.c",
    "b_window": "b: src.b; n:",
    "b_twice": "b: src.b; a: src.a; *: src.a src.c",
    "b_in": "c: src.c; n: src.b; *: src.a src.c",
    "b_three": "x: src.a; y: src.c; *: src.a src.b src.c",
    "b_lambda": "x: src.a; b: src.b",
    "b_explode": "e: src.a; b: src.b; *: src.a",
    "b_long": "b: src.b; a: src.a; *: src.a src.b src.c",
    "n_city": "b: src.b; *: src.addr.city",
    "n_items": "a: src.a; *: src.items.sku src.addr.zip",
    "n_both": "a: src.a; *: src.addr.zip src.b",
    "n_join": "x: src.a; *: src.addr.zip src.b",
    "n_whole": "b: src.b; *: src.addr",
    "n_notnull": "b: src.b; *: src.addr",
    "n_or": "a: src.a; *: src.addr.city src.b",
}
"""The DIRECT sources of each column, and of what influences all rows (`*`), by the statements of
scripts/path_jobs/values.job. The optimizer replaces `addr` in `n_whole` by the struct that it equals."""
UNKNOWN = {"r_local": ["no plan in the log produces a, b"]}
"""Rows that the driver program collects and distributes again."""


LINES = {
    "a_plain": "s: names.sum(CAST(x AS DOUBLE)); k: names.k",
    "a_where": "k: names.k; *: names.sum(CAST(x AS DOUBLE))",
    "a_join": "k: names.k; b: u.b; *: names.sum(CAST(x AS DOUBLE)) | u.a",
    "a_group": "s: names.sum(CAST(x AS DOUBLE)); n: names.k; *: names.sum(CAST(x AS DOUBLE))",
    "a_nested": "s: names.concat(k,  AS z); m: names.max((IF((y > 1), x, 0))); *: names.sum(CAST(x AS DOUBLE))",
    "e_false": "x: t.x",
    "e_left_false": "x: t.x; k: t.k; *: u.a | u.c | t.x | t.k",
    "e_except": "x: t.x; *: t.y | t.x | u.b | u.c",
    "e_in": "x: t.x | u.a; *: t.k | u.c",
    "e_in2": "x: t.x | u.b; *: t.k | u.c | t.x | u.b",
    "d_computed": "s: t.k; z: t.x | t.y; *: t.k | t.x | t.y",
    "d_keys": "m: t.k; *: t.k | t.x",
    "d_group": "k: t.k; n: t.x | t.y; *: t.k | t.y",
    "v_dir": "k: t.k; x3: t.x; *: t.y | t.x",
    "v_join": "k: t.k; b: u.b; x2: t.x; *: t.y | t.k | u.c",
    "v_agg": "k: t.k; s: t.x; *: t.y | t.k",
    "v_union": "k: t.k | u.c; *: t.y",
    "v_ctas": "k: t.k; b: u.b; *: t.y | t.k | u.c",
    "v_frame": "x3: t.x; *: t.y | t.k | u.c | u.b",
    "v_fv": "y: t.y; k: t.k; *: t.x | t.y",
    "c_infer": "x: c.x; y: c.y; k: c.k",
    "c_header": "p: c.x; k: c.k",
    "c_options": "p: c._c0",
    "c_view": "k: c.k; z: c.x | c.y",
    "p_pipe": "k: t.k; z: t.x; *: t.y",
    "p_join": "b: u.b; s: t.x; *: t.k | u.c | u.b",
    "p_set": "x: t.x; k: t.k; *: t.x",
    "p_union": "x: t.x | u.a",
    "f_table": "r: u.a; w: u.c; *: u.b",
    "f_lateral": "k: t.k; w: u.c; *: u.b | t.x",
    "f_join": "k: t.k; r: u.a; *: u.b | t.k | u.c",
    "g_step": "n: t.x; *: t.x | u.b | u.c",
    "g_in": "s: t.k; *: t.x | u.a",
    "g_join": "n: t.x | u.b; *: t.x | u.b | u.a",
}
"""The same of scripts/path_jobs/lines.job: names with ` AS `, set operations, DISTINCT, views of views, CSV,
`|>`, table functions, recursion. The first five need a table that 3.1 cannot make; others need 4.x."""
LINE_LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("lines-*.zstd"))


@cache
def written(path: Path) -> dict[str, StatementLineage]:
    """Return the lineages of a log's statements by the folder or table that they write."""
    (log,) = find_logs([str(path)])
    lineages = [each.lineage for each in trace_log(read_log(log))]
    targets = [(each.target.name, each) for each in lineages if each.target]
    return {name.rpartition("/" if "/out/" in name else ".")[2]: each for name, each in targets}


def sources(lineage: StatementLineage) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for edge in lineage.edges:
        own = found.setdefault(edge.target_column or "*", set())
        if edge.source_dataset and (edge.target_column is None or edge.dependency == "DIRECT"):
            dataset = edge.source_dataset.rpartition("/")[2].removeprefix("spark_catalog.default.")
            own.add(".".join(filter(None, (dataset, edge.source_column))))
    return found


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_each_column_has_its_sources(path: Path, name: str) -> None:
    lineage = written(path)[name]
    expected = (each.partition(":") for each in VALUES[name].split("; "))
    assert sources(lineage) == {column: set(names.split()) for column, _, names in expected}
    assert [gap.detail for gap in lineage.gaps] == UNKNOWN.get(name, [])


LINE_CASES = [(path, name) for path in LINE_LOGS for name in LINES if name in written(path)]


@pytest.mark.parametrize(("path", "name"), LINE_CASES, ids=[f"{path.stem}/{name}" for path, name in LINE_CASES])
def test_each_column_of_a_line_has_its_sources(path: Path, name: str) -> None:
    lineage = written(path)[name]
    expected = (each.partition(": ") for each in LINES[name].split("; "))
    assert sources(lineage) == {column: set(filter(None, names.split(" | "))) for column, _, names in expected}
    assert lineage.gaps == ()


def test_there_are_logs_of_extended_and_of_formatted_text() -> None:
    assert {path.stem for path in LOGS} == {"values-3-1", "values-3-5-extended", "values-4-3"}
    assert len(LINE_CASES) >= 75
