"""The value that passes transform: a statement with the lineage that is resolved so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.extensions import Role, find_command
from eventlog_lineage.lineage.statement import RddSource, Statement
from eventlog_lineage.model import Gap
from eventlog_lineage.operators.attribute_links import Bindings
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read
from eventlog_lineage.operators.plan_context import PlanInputs, TableNames
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan

from .resolve_plan import Resolution, resolve


@dataclass(frozen=True, slots=True, eq=False)
class PlanTrace:
    """One plan of a statement, resolved independently of the others.

    Attributes:
        plan: The plan as read; empty for a missing or unreadable text, and for an internal query.
        resolution: The plan's flow, the bound outputs that other plans request, and its subqueries.
        bindings: Attributes that other plans of the application bind, by id.
        conditions: The conditions of the plans whose checkpointed rows it reads.
    """

    plan: Plan
    resolution: Resolution
    inputs: PlanInputs = field(default_factory=PlanInputs)
    bindings: Bindings = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class StatementTrace:
    """A statement, with the results of the passes so far.

    Attributes:
        texts: The texts of its plans, in the order of `Statement.fingerprints`.
        tables: Full names of the tables that its plans print incompletely; formats may add names.
        plans: Its plans, in the order of `texts`; empty before they are resolved.
        flows: The flows of its executions, the root's first.
        bindings: Attributes of its executions that plans of other executions bind, by id.
        gaps: What could not be resolved, in addition to the gaps of its flows.
        completed: The columns of a MERGE whose values Spark truncated and that are inferred from the other columns.
    """

    statement: Statement
    texts: tuple[PlanText, ...]
    tables: TableNames
    plans: tuple[PlanTrace, ...] = ()
    flows: tuple[Flow, ...] = ()
    bindings: Mapping[int, Output] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    completed: frozenset[str] = frozenset()

    @property
    def root(self) -> Flow:
        """The root execution's flow."""
        return self.flows[0]

    @property
    def own_texts(self) -> tuple[PlanText, ...]:
        """The texts of its executions' plans."""
        return self.texts[: self.statement.size]

    @property
    def linked_reads(self) -> list[Read]:
        """The reads of the plans that bind attributes of its own plans."""
        others = self.plans[self.statement.size :]
        return [read for each in reversed(others) for read in each.resolution.flow.reads]

    @property
    def result_texts(self) -> list[PlanText]:
        """The texts of the inner executions that return the command's result."""
        own = zip(self.texts[1:], self.flows[1:], strict=False)
        return [text for text, flow in own if find_command(flow.command).role is Role.RESULT]

    def with_root(self, flow: Flow) -> StatementTrace:
        """Return the trace with another flow of the root execution."""
        return replace(self, flows=(flow, *self.flows[1:]))

    @property
    def settings(self) -> dict[str, str]:
        """The settings that name tables of connectors."""
        return dict((*self.statement.catalog_settings.sources, *self.statement.context.names.namespaces))

    def resolve(
        self, plan: Plan, requested: Sequence[int] | set[int] = (), inputs: PlanInputs | None = None
    ) -> Resolution:
        """Resolve a plan with the statement's context."""
        context, known = self.statement.context, inputs or PlanInputs()
        catalogs = dict((*self.statement.catalog_settings.catalogs, *context.names.catalogs))
        sources = context.stream.sources if context.stream is not None else ()
        return resolve(
            plan,
            replace(
                known,
                catalogs=catalogs,
                stream_sources=sources,
                tables=self.tables,
                masks=context.masks,
                application=context.names.application,
                settings=self.settings,
            ),
            requested,
        )

    def id_offsets(self) -> dict[int, int]:
        """Return `StatementContext.id_offsets` by the ids of the root's text.

        Ids that a format's pass adds to the text, of truncated columns, continue those before them.
        """
        if not self.statement.context.rows.id_offsets:
            return {}
        ids = self.texts[0].numbered.ids
        found = {ids[index]: distance for index, distance in self.statement.context.rows.id_offsets}
        for expr_id in sorted(set(ids) - found.keys()):
            if expr_id - 1 in found:
                found[expr_id] = found[expr_id - 1] + 1
        return found

    def rdds(self) -> dict[int, RddSource]:
        """Return `StatementContext.rdds` by the ids of the attributes that hold the rows."""
        found: dict[int, RddSource] = {}
        for each in self.statement.context.rows.rdds:
            ids = self.texts[each.plan].numbered.ids
            found |= {ids[index]: each for index in each.attributes}
        return found

    def sampled(self) -> dict[int, str]:
        """Return `StatementContext.sampled` by the ids of the root's text."""
        if not self.statement.context.rows.sampled:
            return {}
        ids = self.texts[0].numbered.ids
        return {ids[index]: path for index, path in self.statement.context.rows.sampled}


def start_trace(statement: Statement, texts: Sequence[PlanText]) -> StatementTrace:
    """Return the input of the first pass."""
    return StatementTrace(statement, tuple(texts), statement.context.names.tables)
