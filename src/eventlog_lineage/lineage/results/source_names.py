"""Name tables and topics by their system, temporary views by their application.

`pg.orders` of a connector's catalog is `postgres://db1:5432/shop.orders`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from eventlog_lineage.connectors.identify import identify_catalog_table
from eventlog_lineage.connectors.source_rules import rule_for
from eventlog_lineage.datasets.naming import of_application
from eventlog_lineage.datasets.streams import topic_of_unknown_server
from eventlog_lineage.model import ColumnJoin, Dataset, Edge

from .lineage_fingerprint import lineage_fingerprint
from .statement_lineage import StatementLineage


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
    listed = (*lineage.datasets, *(access.dataset for access in lineage.accesses), lineage.target)
    known = {each.name: new(each) for each in listed if each is not None}
    found = {name: dataset for name, dataset in known.items() if dataset is not None}
    if not found:
        return lineage

    def named(dataset: Dataset) -> Dataset:
        return found.get(dataset.name, dataset)

    def text(name: str | None) -> str | None:
        return found[name].name if name in found else name

    def edge_of(edge: Edge) -> Edge:
        return replace(edge, source_dataset=text(edge.source_dataset), target_dataset=text(edge.target_dataset))

    def join_of(join: ColumnJoin) -> ColumnJoin:
        left, right = text(join.left_dataset), text(join.right_dataset)
        return replace(join, left_dataset=left or "", right_dataset=right or "")

    edges = tuple(map(edge_of, lineage.edges))
    joins = tuple(map(join_of, lineage.joins))
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
        observations=tuple(
            replace(each, dataset=found[each.dataset].name) if each.dataset in found else each
            for each in lineage.observations
        ),
    )


def _in_system(name: str, kind: str, settings: Mapping[str, str]) -> Dataset | None:
    """Return a table or topic as its system names it; None if it has that name, or nothing shows it."""
    if kind in {"table", "jdbc"}:
        return identify_catalog_table(name, settings)
    topic = topic_of_unknown_server(name) if kind == "topic" else ""
    rule = rule_for(settings, "kafka", topic) if topic else None
    return Dataset(f"{rule.namespace.rstrip('/')}/{topic}", "topic", "kafka") if rule is not None else None
