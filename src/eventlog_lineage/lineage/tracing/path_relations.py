"""Bind the attributes of relations of files in logical plans, which print no path, by scans of the same relations.

A temporary view over `spark.read.parquet(path)` is a command with a logical plan: `LogicalRelation parquet, [id#1L]`.
The scans of statements that read the view have the relation's attribute ids and the path (2.4 to 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.arguments import arguments, lists
from eventlog_lineage.operators.attribute_links import Bindings
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.operators.write_targets import table_of
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, without_truncation
from eventlog_lineage.plan.nodes import Plan, walk


@dataclass(frozen=True, slots=True)
class PathRelation:
    """A relation of files whose path the plan does not print.

    Attributes:
        format: The format of the files.
        attributes: Id to name, of the attributes that Spark did not truncate.
    """

    format: str
    attributes: Mapping[int, str]

    def dataset(self, bindings: Bindings) -> str:
        """Return the dataset that a scan of its attributes reads; empty if no scan does, or several of different paths.

        Args:
            bindings: Attributes that other plans bind.
        """
        found = {
            column.dataset
            for expr_id, name in self.attributes.items()
            if expr_id in bindings
            and (column := bindings[expr_id].derivation.column) is not None
            and column.column == name
        }
        return found.pop() if len(found) == 1 else ""


def path_relations(plan: Plan | None) -> Iterator[PathRelation]:
    """Yield the relations of a plan that print neither a table nor a path.

    Args:
        plan: The plan as read.
    """
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator != "LogicalRelation" or table_of(parts := arguments(node)) is not None:
            continue
        listed = lists(node)
        items, _ = without_truncation(split_items(listed[0])) if listed else ([], 0)
        attributes = {found[1]: found[0] for item in items if (found := read_attribute(item))}
        if attributes:
            yield PathRelation(parts[0], attributes)


def bind_sampled(plan: Plan | None, sampled: Mapping[int, str], bindings: Bindings) -> Bindings:
    """Return the bindings with the attributes of relations whose header another execution read, `inferred`.

    Args:
        plan: The plan as read.
        sampled: Id of a relation's first attribute to its path.
        bindings: Attributes that other plans bind.
    """
    added: dict[int, Output] = {}
    for relation in path_relations(plan) if sampled else ():
        if path := sampled.get(next(iter(relation.attributes))):
            columns = relation.attributes.items()
            added |= {expr_id: Output(name, expr_id, as_inferred(source(path, name))) for expr_id, name in columns}
    return {**added, **bindings} if added else bindings


def sampled_reads(plan: Plan | None, sampled: Mapping[int, str]) -> tuple[Read, ...]:
    """Return the reads of the relations whose header another execution read.

    Args:
        plan: The plan as read.
        sampled: Id of a relation's first attribute to its path.
    """
    reads = []
    for relation in path_relations(plan) if sampled else ():
        if path := sampled.get(next(iter(relation.attributes))):
            dataset = naming.path(path, format=relation.format)
            reads.append(Read(dataset, tuple(relation.attributes.values()), f"{relation.format} relation"))
    return tuple(reads)


def bind_relations(plan: Plan | None, bindings: Bindings) -> Bindings:
    """Return the bindings with all attributes of the relations of which some are bound.

    Args:
        plan: The plan as read.
        bindings: Attributes that other plans bind.
    """
    added: dict[int, Output] = {}
    for relation in path_relations(plan):
        if dataset := relation.dataset(bindings):
            columns = relation.attributes.items()
            added |= {expr_id: Output(name, expr_id, source(dataset, name)) for expr_id, name in columns}
    return {**added, **bindings} if added else bindings
