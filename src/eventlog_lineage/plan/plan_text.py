"""A plan text, with everything that is read from it: each part is read on first use and cached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import contributions, text_patterns
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator, printed_operators
from eventlog_lineage.plan.printed.sections import (
    Mode,
    Sections,
    ViewRead,
    read_views,
    split_sections,
    with_variant_paths,
    without_length,
)
from eventlog_lineage.plan.summary.fingerprint import Numbered, number_plan
from eventlog_lineage.plan.summary.plan_facts import STAR, PlanFact, WideRelation, cleaned_fact
from eventlog_lineage.plan.summary.plan_summary import PlanSummary, digest_of_analyzed, summarize_plan
from eventlog_lineage.plan.summary.scan_facts import distinct, fact_kinds, facts_by_kind, find_row_scans, scan_facts
from eventlog_lineage.plan.tree.build_tree import read_formatted
from eventlog_lineage.plan.tree.nodes import Plan, walk
from eventlog_lineage.plan.tree.tree_strings import WideTables, read_logical, read_tree_string
from eventlog_lineage.plan.unresolved.analyzer import with_attributes
from eventlog_lineage.plan.unresolved.query_lists import with_query_lists
from eventlog_lineage.plan.unresolved.sql_expressions import WrittenLists
from eventlog_lineage.plan.unresolved.view_sql import with_stars, with_view_query

_CODEGEN = r"(?:\*(?:\(\d+\))? )?"
_SCAN = r"(?:File)?Scan text [^\n]*\n"
_FIRST_LINE = re.compile(
    rf"== Physical Plan ==\nCollectLimit [^\n]*\n\+- {_CODEGEN}Filter [^\n]*\n   \+- {_CODEGEN}{_SCAN}"
)
_NOT_EMPTY = re.compile(r"\(length\(trim\(value#\d+(?:, None)?\)\) > 0\)")
_ALL_LINES = re.compile(
    rf"== Physical Plan ==\n{_CODEGEN}DeserializeToObject [^\n]*\n"
    rf"\+- {_CODEGEN}(?:Sample [^\n]*\n   \+- {_CODEGEN})?{_SCAN}"
)
_OF_LINES = re.compile(r"value#\d+\.toString(?:\(\)\))?, obj#\d+: java\.lang\.String")
_FILE = re.compile(r"Location: InMemoryFileIndex[^\n\[]*\[[^\n]*/(?:part-\d+-[^\n/]*|[^\n/,]*\.\w+)(?:, |\]|\.\.\.)")


def infers_schema(physical: str) -> bool:
    """Return whether a physical plan reads the header of CSV files, or the lines from which their types are inferred.

    The first is `CSVUtils.filterCommentAndEmpty(…).take(1)` (2.3 to 4.3); the other, of `CSVInferSchema`, is an
    execution since 4.0. Spark lists the files of the folders that the user reads.
    """
    if "Scan text " not in physical:
        return False
    if _FIRST_LINE.match(physical):
        return _NOT_EMPTY.search(physical) is not None
    is_of_lines = _ALL_LINES.match(physical) is not None and _OF_LINES.search(physical) is not None
    return is_of_lines and _FILE.search(physical) is not None


_ROWS = "LocalTableScan ["
_VALUES = "LocalRelation ["
_USER_TEST = re.compile(rf"isnotnull\([^()]*#({NUMBER})L?\)")


@dataclass(frozen=True)
class PlanText:
    """The text of an execution's plan.

    Attributes:
        text: `physicalPlanDescription`: formatted, extended, cost or simple; empty if the log has none.
        wide: (full name, all columns) of tables of which the text lists the first columns only; (full name, `*`) of
            views that are `SELECT *` of one relation.
        lists: The lists in the statement's SQL, if the text has truncated ones and the log has the SQL.
    """

    text: str
    wide: WideTables = ()
    lists: WrittenLists = ()

    def __reduce__(self) -> tuple[type[PlanText], tuple[str, WideTables, WrittenLists]]:
        """Pickle only the text and its evidence, without the cached parts."""
        return PlanText, (self.text, self.wide, self.lists)

    @cached_property
    def sections(self) -> Sections | None:
        """The mode and the parts of the text; None for a text that is not a plan."""
        return split_sections(self.text)

    @property
    def is_missing(self) -> bool:
        """Whether the log has no plan text."""
        return not self.text or self.text.isspace()

    @cached_property
    def is_internal_query(self) -> bool:
        """Whether the plan is an internal query of Spark or of a table format."""
        parts = self.sections
        if parts is not None and infers_schema(parts.physical):
            return True
        return any(each(self.text) for each in contributions("text.is_internal"))

    @cached_property
    def numbered(self) -> Numbered:
        """The fingerprint of the text, and its attribute ids in the order of their first appearance."""
        return number_plan(without_length(self.text))

    @cached_property
    def physical(self) -> Plan:
        """The physical plan.

        Raises:
            PlanSyntaxError: The text is not a plan.
        """
        parts = self.sections
        if parts is None:
            raise PlanSyntaxError("not a plan text", self.text[:200], 0, "set spark.sql.ui.explainMode=formatted")
        for word, long_name in text_patterns("text.long_names"):
            if word in self.text:
                physical, analyzed, optimized, parsed = (
                    long_name.sub(rf"{word}(\g<kept>)", text) for text in parts[1:5]
                )
                parts = parts._replace(physical=physical, analyzed=analyzed, optimized=optimized, parsed=parsed)
        plan = (
            read_formatted(parts.physical)
            if parts.mode is Mode.FORMATTED
            else read_tree_string(with_variant_paths(parts), self._wide)
        )
        if plan.root is None:
            raise PlanSyntaxError(
                "the plan has no operator", self.text[:200], 0, "please report it with the plan's text"
            )
        plan = self._with_stars(plan)
        viewed = with_view_query(plan)
        return viewed if viewed is not plan else with_attributes(plan)

    @property
    def _wide(self) -> WideTables:
        own = ((fact.table, fact.columns) for fact in self.facts if isinstance(fact, WideRelation))
        return (*(each for each in own if "" not in each[1]), *self.wide)

    @cached_property
    def logical(self) -> tuple[Plan, ...]:
        """The logical plans: the analyzed one, then the optimized one; none in formatted and simple text.

        A physical plan can omit a part of the query: below the RDD of a connector, or below rows that are computed from
        statistics. The analyzed plan has the complete query, with the same attribute ids.
        """
        trees = (self.sections.analyzed, self.sections.optimized) if self.sections is not None else ()
        plans = (read_logical(tree, self._wide) for tree in trees if tree.strip())
        return tuple(plan for plan in plans if plan.root is not None)

    @cached_property
    def written(self) -> Plan | None:
        """The analyzed plan with the truncated lists that the parsed plan or the SQL completes; None without any."""
        parts = self.sections
        if parts is None or not parts.analyzed:
            return None
        nodes = (node for node in walk(self.physical.root) if "Output" in node.fields and not node.children)
        scans = [[name for name, _ in node.attributes("Output")] for node in nodes]
        text = with_query_lists(parts.analyzed, parts.parsed, self.lists, self._wide, scans)
        return self._with_stars(read_logical(text, self._wide)) if text != parts.analyzed else None

    def _with_stars(self, plan: Plan) -> Plan:
        return with_stars(plan, {name for name, columns in self.wide if tuple(columns) == (STAR,)})

    @cached_property
    def parsed(self) -> Plan | None:
        """The parsed plan of extended text, with names as the user wrote them; None if the text has none.

        `unresolved.with_attributes` turns the names into attributes.
        """
        tree = self.sections.parsed if self.sections is not None else ""
        plan = read_logical(tree) if tree.strip() else None
        return plan if plan is not None and plan.root is not None else None

    @cached_property
    def views(self) -> tuple[ViewRead, ...]:
        """The views that the plan reads."""
        return read_views(self.sections) if self.sections is not None else ()

    @cached_property
    def operators(self) -> tuple[PrintedOperator, ...]:
        """The operators of the physical plan as the text prints them; far cheaper than `physical`."""
        return printed_operators(self.sections) if self.sections is not None else ()

    @cached_property
    def facts(self) -> tuple[PlanFact, ...]:
        """The facts about tables and sessions in the text."""
        return scan_facts(self)

    @cached_property
    def summary(self) -> PlanSummary:
        """The cheap summary of the plan, the input of grouping executions into statements."""
        return summarize_plan(self, self.facts)

    @property
    def user_tests(self) -> frozenset[int]:
        """The attributes that the analyzed plan tests with `isnotnull`; none without an analyzed plan."""
        parts = self.sections
        return frozenset(map(int, _USER_TEST.findall(parts.analyzed))) if parts is not None else frozenset()

    @property
    def answers_from_metadata(self) -> bool:
        """Whether the physical plan has literal rows instead of a query: aggregates that a connector answers."""
        parts = self.sections if _ROWS in self.text else None
        if parts is None or not parts.analyzed:
            return False
        return parts.physical.count(_ROWS) > parts.analyzed.count(_VALUES)


NO_TEXT = PlanText("")
"""The plan of an execution without plan text in the log."""


def summary_of(plan: PlanText | PlanSummary) -> PlanSummary:
    """Return the summary of a plan text; a summary is returned unchanged."""
    return plan.summary if isinstance(plan, PlanText) else plan


def views_of(plan: PlanText | tuple[ViewRead, ...]) -> tuple[ViewRead, ...]:
    """Return the views of a statement's plan text; a tuple of views is returned unchanged."""
    return plan.views if isinstance(plan, PlanText) else plan


def read_plan(text: str) -> Plan:
    r"""Read the physical plan of a text; `PlanText.physical` caches it.

    Args:
        text: `physicalPlanDescription` of an execution.

    Raises:
        PlanSyntaxError: The text is not a plan.

    >>> read_plan("== Physical Plan ==\n*(1) Project [id#0L]\n+- *(1) Range (0, 5, step=1, splits=2)\n").root.operator
    'Project'
    """
    return PlanText(text).physical


_MOST = 10_000


class SummaryCache:
    """Summarizes plan texts, and caches the common part of texts with the same fingerprint.

    When a plan is printed again, only its attribute ids and facts are read, and only facts of the kinds that the first
    text has: most plans have none, and scanning for them takes longer than the rest. Texts that contain secrets are
    never cached. A summary contains only names of commands, numbers and names of tables: the first text of a plan is
    redacted before it is read, and the facts of later texts are redacted.

    Args:
        clean: Redacts the secrets in a text; returns the same text if it has none.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._known: dict[str, tuple[PlanSummary, tuple[str, ...]]] = {}

    def read(self, plan: PlanText) -> PlanSummary:
        """Return the summary of a text, redacted."""
        if plan.is_missing:
            return PlanSummary("")
        known = self._known.get(plan.numbered.fingerprint)
        if known is not None:
            return self._repeated(*known, plan)
        cleaned = self._clean(plan.text)
        if cleaned != plan.text:
            return summarize_plan(PlanText(cleaned))
        facts = facts_by_kind(plan, fact_kinds())
        summary = summarize_plan(plan, distinct(facts))
        self._remember(summary, tuple(facts) if summary.facts else ())  # a text without a physical plan has no facts
        return summary

    def _repeated(self, known: PlanSummary, kinds: tuple[str, ...], plan: PlanText) -> PlanSummary:
        """Return the summary of a text whose fingerprint is known.

        Args:
            known: The summary of the first text, with indexes in place of ids.
        """
        ids = plan.numbered.ids
        return replace(
            known,
            ids=ids,
            unbound=known.unbound and frozenset([ids[index] for index in known.unbound]),  # an empty set has 216 bytes
            requested=known.requested and frozenset([ids[index] for index in known.requested]),
            facts=tuple([cleaned_fact(fact, self._clean) for fact in distinct(facts_by_kind(plan, kinds))]),
            analyzed=digest_of_analyzed(plan.sections) if known.analyzed and plan.sections is not None else "",
            row_scans=find_row_scans(plan.sections) if known.row_scans and plan.sections is not None else (),
        )

    def _remember(self, summary: PlanSummary, kinds: tuple[str, ...]) -> None:
        indexes = {expr_id: index for index, expr_id in enumerate(summary.ids)}
        if not indexes.keys() >= summary.unbound | summary.requested:
            return  # an id that the numbering treats as part of a literal
        if len(self._known) >= _MOST:
            self._known.clear()
        unbound, requested = _indexed(summary.unbound, indexes), _indexed(summary.requested, indexes)
        known = replace(summary, ids=(), unbound=unbound, requested=requested, facts=())
        self._known[summary.fingerprint] = (known, kinds)


def _indexed(ids: Iterable[int], indexes: dict[int, int]) -> frozenset[int]:
    return frozenset(indexes[expr_id] for expr_id in ids)
