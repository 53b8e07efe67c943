"""Report columns whose source or name is in no plan of the log as gaps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.datasets.naming import is_unnamed
from eventlog_lineage.model import Edge, Gap, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.metadata_aggregates import FROM_METADATA, metadata_hint
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan


class PathlessRelation(Protocol):
    """A relation of files whose path the plan does not print: its format, and id to name of its attributes."""

    @property
    def format(self) -> str:
        """The format of the files."""

    @property
    def attributes(self) -> Mapping[int, str]:
        """Id to name."""


_LONGEST = 500
"""Longest detail of a gap, in characters."""
_UNBOUND = "no plan in the log produces "
_EMPTIED = "the optimizer found that the query has no rows, and the plan has no source of "
_NO_ROWS = "no execution in the log has a plan for the rows of "
_PHYSICAL = "== Physical Plan ==\n"
_AGGREGATED = re.compile(rf"\b(?:min|max|sum|avg)\([^()\n]*{ID}[^()\n]*\) AS [^,#\n]+{CAPTURED_ID}(?=[,\]])")


def with_gap(flow: Flow, unbound: Sequence[str], emptied: Collection[str] = ()) -> Flow:
    """Return a flow with a gap for its unbound attributes, if there are any.

    Args:
        emptied: Names of the columns of relations that the optimizer proved to be empty.
    """
    if not unbound:
        return flow
    names = ", ".join(unbound)
    if all(name in emptied for name in unbound):
        return flow.with_gaps(_emptied_gap(names))
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        "",
        f"{_UNBOUND}{names}"[:_LONGEST],
        "rows that the driver program creates have no source; write them to a table to give them one",
    )
    return flow.with_gaps(gap)


def lacks_rows(flow: Flow) -> bool:
    """Return whether no plan in the log produces an attribute of a flow."""
    return any(gap.detail.startswith(_UNBOUND) for gap in flow.gaps)


def _emptied_gap(names: str) -> Gap:
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        "LocalTableScan",
        f"{_EMPTIED}{names}"[:_LONGEST],
        "nothing to do if it is meant to be empty (WHERE 1 = 0); spark.sql.ui.explainMode=extended prints the query",
    )


def with_view_gap(flow: Flow, unbound: Sequence[str], unread: Sequence[PathlessRelation]) -> Flow:
    """Return the flow of a view's definition with one gap for the files that no statement reads.

    The columns that Spark truncated are part of this gap: a view that nobody reads is reported once.

    Args:
        unread: Relations of files of which no attribute is bound.
    """
    names = {name for relation in unread for name in relation.attributes.values()}
    if not unread or not names.intersection(unbound):
        return with_gap(flow, unbound)
    formats = ", ".join(dict.fromkeys(relation.format for relation in unread))
    gap = Gap(
        GapReason.UNREAD_VIEW,
        flow.command,
        f"the definition does not print the path of its {formats} files, and no statement in the log reads them",
        "nothing to do unless the view is read in another application: Spark prints the path where the view is read",
    )
    kept = tuple(gap for gap in flow.gaps if gap.reason is not GapReason.TRUNCATED_FIELDS)
    return with_gap(replace(flow, gaps=(*kept, gap)), [name for name in unbound if name not in names])


def missing_rows_gap(write: Write) -> Gap:
    """Return the gap of a write whose query is in no execution of the log."""
    names = ", ".join(write.names) or write.target.name
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        write.node_name,
        f"{_NO_ROWS}{names}"[:_LONGEST],
        "Spark before 3.5 does not log the plan of a write through a connector's V1 fallback: "
        "set spark.sql.ui.explainMode=extended, or upgrade Spark",
    )


def metadata_gaps(texts: Sequence[PlanText], source: Flow, columns: Sequence[Output]) -> list[Gap]:
    """Return a gap for the columns that a command computes but whose values are literals in the plan of its rows.

    Delta's (4.x) and Iceberg's optimizers answer aggregates from metadata and keep the names of the query. A command
    that prints its query on one line shows them: `Aggregate [count(1) AS n#1L, max(id#3L) AS last#2L]`. The count of a
    column that is never NULL is a count of rows and depends on no column, nor does the aggregate of such a count.
    """
    literal = {each.expr_id: each.name for each in columns if each.expr_id >= 0 and each.derivation.is_literal}
    if not literal or any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in source.gaps):
        return []
    # logical plans contain the query
    physical = [each.text for each in texts if each.text.startswith(_PHYSICAL)]
    computed = {int(expr_id) for text in physical for expr_id in _AGGREGATED.findall(text)}
    names = [name for expr_id, name in literal.items() if expr_id in computed]
    detail = f"{', '.join(names)}: {FROM_METADATA}"[:_LONGEST]
    return [Gap(GapReason.UNKNOWN_SOURCE, "LocalTableScan", detail, metadata_hint())] if names else []


def name_gaps(plans: Iterable[Plan | None], columns: Sequence[Output]) -> list[Gap]:
    """Return a gap for the columns of a query whose names can be read in two ways: `x AS y AS z#1`.

    Only a query's text lacks the evidence: a write, and each operator above, prints the name alone.
    """
    others = {
        expr_id: (plan.root.name, name)
        for plan in plans
        if plan is not None and plan.root is not None
        for expr_id, name in plan.other_names.items()
    }
    found = [(each.name, *others[each.expr_id]) for each in columns if each.expr_id in others]
    hint = "Spark quotes neither names nor literals; spark.sql.ui.explainMode=extended prints the names of the columns"
    return [
        Gap(GapReason.UNPARSED_EXPRESSION, operator, f"the name of {name} can also be {other}"[:_LONGEST], hint)
        for name, operator, other in found
        if name != other
    ]


def distinct_gaps(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return the distinct gaps; the gap of a write without rows replaces those of its unbound attributes."""
    found = dict.fromkeys(gaps)
    if any(gap.detail.startswith(_NO_ROWS) for gap in found):
        return tuple(gap for gap in found if not gap.detail.startswith((_UNBOUND, _EMPTIED)))
    return tuple(found)


_HASH = re.compile(
    r"((?:\b[\w$]+\.)+[\w$]+?|\b[A-Z][\w$]*?)(?:\$\$Lambda\$\d+)?(?:/0x[0-9a-f]+)?@[0-9a-f]{1,8}(?![\w.@-])"
)


def without_hashes(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return the gaps without objects' hash codes, which differ in each run: `org.example.Relation@30fd723`."""
    return tuple(
        dict.fromkeys(
            replace(gap, operator=_HASH.sub(r"\1", gap.operator), detail=_HASH.sub(r"\1", gap.detail)) for gap in gaps
        )
    )


def unnamed_source_gaps(edges: Iterable[Edge], gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return a gap for rows of another execution whose source is unknown: only that execution has its own gap."""
    columns = {edge.source_column or "" for edge in edges if is_unnamed(edge.source_dataset or "")}
    if not columns or any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in gaps):
        return ()
    detail = f"another execution reads {', '.join(sorted(columns))[:400]} from a source that it does not name"
    return (Gap(GapReason.UNKNOWN_SOURCE, "", detail, "see the gap of the execution that reads them"),)
