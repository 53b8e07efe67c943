"""Random statements whose names and literals look like parts of plans, against what they were made of."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import Edge

STATEMENTS = sorted((Path(__file__).parent / "random_statements").glob("*.json"))
UNREAD = frozenset(
    """
    3.5-extended-s922x104 3.5-formatted-s911x73 3.5-formatted-s921x198 4.1-extended-s911x67
    4.1-formatted-s7001x15 4.3-extended-s115 4.3-formatted-s226 4.3-formatted-s963x18
    """.split()
)
"""Statements with names or literals that are not worth a rule, such as a loop over columns named `))`."""
FIXTURES = [path for path in STATEMENTS if path.stem not in UNREAD]
OF_COLUMNS = ("CONDITIONAL", "WINDOW", "SORT")


def source(edge: Edge) -> str:
    return f"{(edge.source_dataset or '').rpartition('.')[2]}.{edge.source_column}"


@cache
def traced(path: Path) -> tuple[dict[str, Any], StatementLineage]:
    """A statement with what it is made of, and its lineage."""
    statement = json.loads(path.read_text(encoding="utf-8"))
    return statement, trace_texts("\n".join(statement["plan"]))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_random_statement_has_the_sources_that_it_is_made_of(path: Path) -> None:
    statement, lineage = traced(path)
    found: dict[int, tuple[str, dict[str, set[str]]]] = {}
    for edge in lineage.edges:
        if edge.target_ordinal is None:
            continue
        kinds = found.setdefault(edge.target_ordinal, (edge.target_column or "", {}))[1]
        kind = "DIRECT" if edge.dependency == "DIRECT" else str(edge.transformation)
        if edge.source_column is not None and (kind == "DIRECT" or kind in OF_COLUMNS):
            kinds.setdefault(kind, set()).add(source(edge))
    wanted = [(name.lower(), {kind: set(of) for kind, of in kinds.items()}) for name, kinds in statement["columns"]]
    assert [(name.lower(), kinds) for _, (name, kinds) in sorted(found.items())] == wanted
    assert lineage.gaps == ()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_random_statement_has_the_conditions_on_all_rows(path: Path) -> None:
    statement, lineage = traced(path)
    edges = [edge for edge in lineage.edges if edge.target_column is None]
    for kind, wanted in statement["rows"].items():
        if kind == "INFERRED":  # the optimizer may add a filter of what a generator reads
            continue
        assert {source(edge) for edge in edges if edge.transformation == kind} >= set(wanted)
    every = {name for names in statement["rows"].values() for name in names}
    assert {source(edge) for edge in edges} <= every


@pytest.mark.parametrize("path", [path for path in STATEMENTS if path.stem in UNREAD], ids=lambda path: path.stem)
def test_a_statement_that_is_not_read_has_a_gap(path: Path) -> None:
    assert traced(path)[1].gaps != ()


@pytest.mark.parametrize(
    ("statement", "name", "other"),
    [
        ("3.5-formatted-s158", "what#", "what#4#"),
        ("3.5-formatted-s158", "val#", "val#4#"),
        ("3.5-formatted-s86", "what#", "what[#"),
        ("4.1-formatted-s912x55", "sku#", "sku[#"),
    ],
)
def test_a_name_next_to_odd_ones_may_be_odd_itself(statement: str, name: str, other: str) -> None:
    """The attributes that a list certainly has are known before the lists that can be read in two ways."""
    text = "\n".join(json.loads((STATEMENTS[0].parent / f"{statement}.json").read_text(encoding="utf-8"))["plan"])
    before, after = trace_texts(text), trace_texts(text.replace(name, other))
    sources = [
        sorted((each.target_ordinal or 0, source(each), str(each.transformation)) for each in lineage.edges)
        for lineage in (before, after)
    ]
    assert sources[0] == sources[1]
    assert after.gaps == ()
