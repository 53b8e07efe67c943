"""Change the names and texts of a lineage: names of systems and of bounded length, no literals; render it as text.

`pg.orders` of a connector's catalog is `postgres://db1:5432/shop.orders`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter, is_
from typing import Any, TypeVar

from eventlog_lineage.connectors.connector import rule_for
from eventlog_lineage.connectors.identify import identify_catalog_table
from eventlog_lineage.datasets.naming import of_application
from eventlog_lineage.datasets.streams import topic_of_unknown_server
from eventlog_lineage.lineage.results.statement_lineage import VIEW_MODE, StatementLineage, lineage_fingerprint
from eventlog_lineage.model import ColumnJoin, Dataset, Dependency, Edge, Gap, GapReason
from eventlog_lineage.observed_schemas import SchemaObservation
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.grammar.tokens import find_attributes
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode

_Named = TypeVar("_Named", Edge, ColumnJoin, SchemaObservation)


def with_source_names(lineage: StatementLineage, settings: Mapping[str, str]) -> StatementLineage:
    """Return a lineage in which tables of connectors' catalogs, and topics of servers that no log prints, are named.

    Args:
        settings: The settings of connectors, which contain those of their catalogs and the user's rules.
    """
    return _renamed(lineage, lambda dataset: _in_system(dataset.name, dataset.kind, settings))


def with_own_views(lineage: StatementLineage, application: str) -> StatementLineage:
    """Return a lineage whose temporary views have names that only this application's views have.

    Args:
        application: The application's name, the same in all its runs; empty keeps the names.
    """

    def own(dataset: Dataset) -> Dataset | None:
        is_own = application and dataset.kind == "temp_view"
        return replace(dataset, name=of_application(dataset.name, application)) if is_own else None

    return _renamed(lineage, own)


def _renamed(lineage: StatementLineage, new: Callable[[Dataset], Dataset | None]) -> StatementLineage:
    """Return a lineage with other datasets.

    Args:
        new: The dataset in place of one; None for the same.
    """
    listed = (*lineage.datasets, *map(attrgetter("dataset"), lineage.accesses), lineage.target)
    known = {each.name: each for each in listed if each is not None}
    found = {name: dataset for name, each in known.items() if (dataset := new(each)) is not None}
    if not found:
        return lineage

    def named(dataset: Dataset) -> Dataset:
        return found.get(dataset.name, dataset)

    edges = _with_names(lineage.edges, found, "source_dataset", "target_dataset")
    joins = _with_names(lineage.joins, found, "left_dataset", "right_dataset")
    accesses = tuple(replace(each, dataset=named(each.dataset)) for each in lineage.accesses)
    return replace(
        lineage,
        fingerprint=lineage_fingerprint(edges, accesses, lineage.gaps, joins),
        target=named(lineage.target) if lineage.target is not None else None,
        edges=edges,
        accesses=accesses,
        joins=joins,
        aliases=tuple(each for each in lineage.aliases if each[0] not in found),
        datasets=tuple(dict.fromkeys(map(named, lineage.datasets))),
        observations=_with_names(lineage.observations, found, "dataset"),
    )


def _with_names(values: Iterable[_Named], found: Mapping[str, Dataset], *labels: str) -> tuple[_Named, ...]:
    """Return edges, joins or observations with the names of other datasets in certain fields."""

    def renamed(value: Any) -> Any:
        return replace(value, **{each: found[name].name for each in labels if (name := getattr(value, each)) in found})

    return tuple(map(renamed, values))


def _in_system(name: str, kind: str, settings: Mapping[str, str]) -> Dataset | None:
    """Return a table or topic as its system names it; None if it has that name, or nothing shows it."""
    if kind in {"table", "jdbc"}:
        return identify_catalog_table(name, settings)
    topic = topic_of_unknown_server(name) if kind == "topic" else ""
    rule = rule_for(settings, "kafka", topic) if topic else None
    return Dataset(f"{rule.namespace.rstrip('/')}/{topic}", "topic", "kafka") if rule is not None else None


LONGEST = 1000
"""Characters of a name."""

_DIGITS = 8
_OTHERS = frozenset("expression pattern operator data_type detail hint words derivation evidence".split())
"""Fields that have no names."""

_SHORTENED = Gap(
    GapReason.LIMIT_EXCEEDED,
    "",
    f"a name is longer than {LONGEST} characters",
    "names are stored up to this length, with a digest of the whole name",
)


def short_name(name: str) -> str:
    """Return a name of at most 1,000 characters; a longer one ends in a digest, so that it stays distinct.

    >>> short_name("orders"), len(short_name("x" * 5000))
    ('orders', 1000)
    """
    if len(name) <= LONGEST:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{name[: LONGEST - _DIGITS - 1]}…{digest}"


def with_short_names(lineage: StatementLineage) -> StatementLineage:
    """Return a lineage with short names; one whose names are longer has a gap."""
    short: StatementLineage = _shortened(lineage)
    return lineage if short is lineage else replace(short, gaps=(*short.gaps, _SHORTENED))


def _shortened(found: Any) -> Any:
    if isinstance(found, str):
        return short_name(found)
    if isinstance(found, tuple):
        made = list(map(_shortened, found))
        if all(map(is_, made, found)):
            return found
        return found._make(made) if hasattr(found, "_make") else tuple(made)
    return _with_short_fields(found) if is_dataclass(found) and not isinstance(found, type) else found


def _with_short_fields(found: Any) -> Any:
    values = {each.name: getattr(found, each.name) for each in fields(found) if each.name not in _OTHERS}
    changed = {name: new for name, old in values.items() if (new := _shortened(old)) is not old}
    return replace(found, **changed) if changed else found


_WITH_PLAN_TEXT = frozenset({GapReason.UNPARSED_EXPRESSION, GapReason.UNPARSED_PLAN, GapReason.UNKNOWN_TARGET})
"""Reasons of gaps whose details quote the plan's text."""


def without_literals(lineage: StatementLineage) -> StatementLineage:
    """Return a lineage with `?` for each literal in its expressions, and with gaps that do not quote the plan."""
    edges = tuple(replace(edge, expression=edge.pattern) for edge in lineage.edges)
    gaps = tuple(replace(gap, detail="masked") if gap.reason in _WITH_PLAN_TEXT else gap for gap in lineage.gaps)
    joins = tuple(replace(join, expression=join.pattern) for join in lineage.joins)
    return replace(lineage, edges=edges, gaps=gaps, joins=joins)


def attributes_only(node: PlanNode) -> dict[str, Field]:
    """Return an operator's fields reduced to their attributes: anything else may be a literal."""
    return {label: Field(_attributes(field.text)) for label, field in node.fields.items()}


def _attributes(text: str) -> str:
    """Return the distinct attributes in a text; a name starts after a bracket, a comma or a space."""
    names: dict[int, tuple[str, ...]] = {}
    for piece in text.replace("(", " ").replace("[", " ").replace(",", " ").split():
        name, found, expr_id = piece.rstrip(")]").rpartition("#")
        digits = expr_id.removesuffix("L")
        if found and name and digits.isdecimal() and len(digits) < 19:
            names.setdefault(int(digits), (name,))
    tokens = (text[token.start : token.end] for token in find_attributes(text, names))
    return ", ".join(dict.fromkeys(tokens))


_EXPRESSION_WIDTH = 160


def _without_columns(lineage: StatementLineage) -> Iterator[str]:
    """Yield the datasets that a statement reads without any of their columns."""
    sources = {edge.source_dataset for edge in lineage.edges}
    reads = (each for each in lineage.accesses if each.direction == "read" and each.mode != VIEW_MODE)
    return (each.dataset.name for each in reads if each.dataset.name not in sources)


def render_lineage(lineage: StatementLineage) -> str:
    """Render a statement's lineage: its target, the sources of each column, the influences, the gaps.

    ```
    write append spark_catalog.mart.daily_sales
      day      <- orders.order_ts   DIRECT TRANSFORMATION   cast(orders.order_ts as date)
      *        <- orders.status     INDIRECT FILTER         (orders.status = paid)
    ```
    """
    lines = [line for block in _blocks(lineage) for line in block]
    views = [access for access in lineage.accesses if access.mode == VIEW_MODE]
    lines.extend(f"  through view {access.dataset.name} ({', '.join(access.columns)})" for access in views)
    lines.extend(f"  reads {name}, no column" for name in _without_columns(lineage))
    lines.extend(f"  gap {gap.reason} at {gap.operator or 'the log'}: {gap.detail}" for gap in lineage.gaps)
    return "\n".join(lines)


def _blocks(lineage: StatementLineage) -> Iterator[list[str]]:
    """Yield the lines of each target; those of all edges if nothing is written."""
    writes = [access for access in lineage.accesses if access.direction == "write"]
    for access in writes:
        edges = [edge for edge in lineage.edges if edge.target_dataset == access.dataset.name]
        yield _block(f"write {access.mode} {access.dataset.name}", edges)
    if not writes:
        yield _block("read" if lineage.command == "query" else lineage.command, lineage.edges)


def _block(headline: str, edges: Iterable[Edge]) -> list[str]:
    rows = [_row(edge) for edge in edges]
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(3)]
    return [
        headline,
        *(
            f"  {name:<{widths[0]}} <- {source:<{widths[1]}}  {kind:<{widths[2]}}  {text}".rstrip()
            for name, source, kind, text in rows
        ),
    ]


def _row(edge: Edge) -> tuple[str, str, str, str]:
    name = _line(edge.target_column) if edge.target_column is not None else "*"
    if edge.source_dataset is None:
        return name, "-", "", _shorten(edge.expression)
    source = _line(".".join(filter(None, (edge.source_dataset, edge.source_column))))
    words = [str(edge.dependency), str(edge.transformation)]
    if edge.masking:
        words.append("masked")
    if edge.confidence != "exact":
        words.append(str(edge.confidence))
    is_copy = edge.dependency is Dependency.DIRECT and edge.transformation == "IDENTITY"
    return name, source, " ".join(words), "" if is_copy else _shorten(edge.expression)


def _line(text: str) -> str:
    return text.replace("\n", "\\n")


def _shorten(text: str) -> str:
    line = _line(text)
    return line if len(line) <= _EXPRESSION_WIDTH else line[: _EXPRESSION_WIDTH - 1] + "…"


def render_plan(plan: Plan) -> str:
    """Render a plan's trees: operators with arguments and columns; subqueries follow."""
    lines: list[str] = []
    if plan.root is not None:
        lines.extend(_tree(plan.root))
    for subquery in plan.subqueries:
        lines.append(f"subquery #{subquery.expr_id} of operator {subquery.host}")
        if subquery.root is not None:
            lines.extend(_tree(subquery.root))
    return "\n".join(lines)


def _tree(root: PlanNode) -> Iterable[str]:
    stack: list[tuple[PlanNode, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        operator_id = f" ({node.operator_id})" if node.operator_id is not None else ""
        argument = f" {node.argument}" if node.argument else ""
        yield f"{'  ' * depth}{node.operator}{argument}{operator_id}{_description(node)}"
        stack.extend((child, depth + 1) for child in reversed(node.children))


def _description(node: PlanNode) -> str:
    for label in ("Output", "Results", "Condition", "Keys"):
        text = node.text(label)
        if text:
            return f": {_shorten(unescaped(text))}"
    return ""
