"""The context that the operators of one plan share, and the full names of tables that plans print incompletely."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.plan.grammar.parser import parse_expression
from eventlog_lineage.plan.grammar.tokens import AttributeNames
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode
from eventlog_lineage.plan.tree.truncation import TruncatedLists

from .derivations.references import Analysis
from .flow import Flow, Output


class AnsweredTable(NamedTuple):
    """A table whose statistics answer aggregates of a statement.

    Attributes:
        columns: The columns whose minimum and maximum the statement looks up.
    """

    dataset: Dataset
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableNames:
    """Full names of the tables that a statement's plans print without a database, or not at all.

    Attributes:
        unqualified: (name without database, full name), from plans of the same application.
        session: (name as the user wrote it, quoted; full name), for commands of the session catalog.
        unnamed: Full name of the table that a plan prints only as an object.
        is_assumed: That name follows only from the columns of the application's tables.
        loaded: Location of the only table whose state the statement loads.
        answered: The tables whose statistics answer its aggregates.
        filled: The columns of the table that the statement moves files into, if the other plans list all of them.
        aggregates: (attribute id, aggregate) that a command's line prints: `(5, "max(id)")`.
        wide: (full name, all columns) of tables whose columns other plans of the application complete.
    """

    unqualified: tuple[tuple[str, str], ...] = ()
    session: tuple[tuple[str, str], ...] = ()
    unnamed: str = ""
    loaded: str = ""
    is_assumed: bool = False
    answered: tuple[AnsweredTable, ...] = ()
    aggregates: tuple[tuple[int, str], ...] = ()
    filled: tuple[str, ...] = ()
    wide: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def of_unqualified(self, name: str) -> str:
        """Return the full name of a table that is printed without its database; empty if unknown."""
        return dict(self.unqualified).get(name, "")

    def of_session(self, quoted: str) -> str:
        """Return the full name of a table as the user wrote it, in backquotes; empty if unknown."""
        return dict(self.session).get(quoted, "")


NO_NAMES = TableNames()
"""The names of a statement whose plans print all names completely."""


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """Inputs for resolving a plan from outside its text.

    Attributes:
        catalogs: Catalog class to catalog name, from the application's settings and plans; empty for a class with
            several catalogs, if nothing in the log shows which one is meant.
        stream_sources: The datasets of each source of the streaming query whose micro-batch this is; None for a source
            that prints only its class.
        batch_values: Id to value of the attributes that hold the rows of a micro-batch; the plan prints other values.
        subqueries: Id to flow of subqueries in the statement's other plans.
        application: `StatementContext.application`.
        settings: The settings that name tables of connectors (`connectors.connector.source_settings`).
        user_tests: The attributes that the analyzed plan tests with `isnotnull`: these tests are the user's.
    """

    catalogs: Mapping[str, str] = field(default_factory=dict)
    stream_sources: tuple[tuple[Dataset, ...] | None, ...] = ()
    tables: TableNames = NO_NAMES
    batch_values: Mapping[int, Output] = field(default_factory=dict)
    subqueries: Mapping[int, Flow] = field(default_factory=dict)
    masks: tuple[str, ...] = ()
    application: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    user_tests: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlanContext(PlanInputs):
    """The context that the operators of one plan share.

    Attributes:
        outer: The attributes that correlated subqueries use from their host's inputs.
        subqueries: Id of a subquery to its flow; set before the operators that host it are resolved.
        operators_by_id: Operator id to operator, for the exchanges that a ReusedExchange refers to.
        fold: Resolves an operator and all operators below it.
        flows: The operators resolved so far, by identity.
        analyses: Expressions analyzed so far, by text.
        definitions: Number of a common table expression to its definition, in logical trees.
        requested: Attribute ids that another plan leaves unbound.
        bound: The outputs that bind them, nearest to the root.
        resolving: The reused operators that are being resolved, by their identity.
        ambiguous: Expressions whose literals can be read in two ways, to the other one.
    """

    names: AttributeNames
    outer: frozenset[int] = frozenset()
    subqueries: dict[int, Flow] = field(default_factory=dict)
    operators_by_id: Mapping[int, PlanNode] = field(default_factory=dict)
    fold: Callable[[PlanNode, PlanContext], Flow] | None = None
    flows: dict[int, Flow] = field(default_factory=dict)
    analyses: dict[tuple[str, bool], Analysis] = field(default_factory=dict)
    definitions: Mapping[str, PlanNode] = field(default_factory=dict)
    requested: frozenset[int] = frozenset()
    bound: dict[int, Output] = field(default_factory=dict)
    truncated_lists: TruncatedLists = field(default_factory=lambda: TruncatedLists(Plan(None)))
    resolving: set[int] = field(default_factory=set)
    ambiguous: Mapping[str, str] = field(default_factory=dict)

    def definition(self, cte_id: str) -> Flow | None:
        """Return the flow of the common table expression with an id; None before it is resolved, or without one."""
        node = self.definitions.get(cte_id)
        return self.flows.get(id(node)) if node is not None else None

    def analysis(self, text: str, *, aggregate: bool = False) -> Analysis:
        """Return the analysis of an expression's text; cached."""
        key = (text, aggregate)
        known = self.analyses.get(key)
        if known is None:
            parsed = parse_expression(text, self.names)
            known = self.analyses[key] = analyze(parsed, aggregate=aggregate, masks=self.masks)
        return known
