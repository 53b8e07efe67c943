"""Read tree strings, with an operator and its arguments per line: the extended, simple and cost modes.

Source: `TreeNode.generateTreeString` of Spark 2.4 to 4.3. The nodes have the fields of formatted text, so that rules
get a single form. Lines print no counts: of all readings of an ambiguous list, the cheapest is chosen, and the schema
above the analyzed plan has the number of the query's columns. Partition filters that Spark cut
(`spark.sql.maxMetadataStringLength`, 100 characters) are completed by the optimized plan, which prints the whole
condition above the table: `Filter (dt#5 > …)`, `+- Relation db.t[id#1,dt#5]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER
from eventlog_lineage.datasets.naming import table_name
from eventlog_lineage.extensions import Target, find_command
from eventlog_lineage.plan.grammar.attribute_ids import ID_PATTERN, SUBQUERY_PATTERN, ids_in, unescaped
from eventlog_lineage.plan.grammar.escaping import PlanEscaper, is_ambiguous_name
from eventlog_lineage.plan.grammar.readings import is_crossed, is_suspicious
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, Field, Listed, listed, read
from eventlog_lineage.plan.grammar.types import struct_fields
from eventlog_lineage.plan.printed.operator_lines import (
    DescribedOperator,
    describe_line,
    list_field,
    name_relation,
    stripped,
)
from eventlog_lineage.plan.printed.operator_names import canonical
from eventlog_lineage.plan.printed.sections import Mode, Sections
from eventlog_lineage.plan.printed.tree_lines import INNER_COLUMNS, TreeLine, children_by_column, read_lines
from eventlog_lineage.plan.tree.aggregate_results import LogicalResults, complete_fields, logical_results
from eventlog_lineage.plan.tree.build_tree import lineage_lines, read_formatted, subquery_id
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, Subquery

_CUT = re.compile(r"(?<=, PartitionFilters: )\[(?P<cut>.*\.\.\.)(?=, PushedFilters: )", re.DOTALL)
_FILTERED = re.compile(rf"[\w.$-]+{ID}")
_SCHEMA = ", ReadSchema: "
_SUBQUERY = re.compile(r"(?:Reused)?Subquery(?:Broadcast|AdaptiveBroadcast|AdaptiveShuffle)? ")
_PLAN_ID = re.compile(r"\[(?:plan_)?id=#?(\d+)\]")
_OLD_SUBQUERY = re.compile(r"\b(Subquery subquery)(\d+)\b")
"""A scalar subquery up to 2.4, `Subquery subquery711`; later `Subquery scalar-subquery#711, [id=#45]`."""


def with_partition_filters(lines: Sequence[TreeLine], optimized: Sequence[TreeLine]) -> list[TreeLine]:
    """Return the lines of a physical plan, with the attributes of filters that Spark cut."""
    return [
        replace(line, label=_completed(line.label, optimized)) if line.label.startswith("FileScan ") else line
        for line in lines
    ]


def _filtered(own: Set[str], optimized: Sequence[TreeLine]) -> Iterator[str]:
    """Yield the attributes of relations with a scan's ids that filters right above the relations name."""
    for condition, table in pairwise(each.label for each in optimized):
        ids = set(ID_PATTERN.findall(table)) if table.startswith("Relation ") else set()
        if own and own <= ids and condition.startswith("Filter ") and "dynamicpruning" not in condition:
            yield from (name for name in _FILTERED.findall(condition) if ID_PATTERN.findall(name)[-1] in ids)


def _completed(label: str, optimized: Sequence[TreeLine]) -> str:
    match = _CUT.search(label)
    _, found, schema = label.rpartition(_SCHEMA)
    if match is None or not found or "..." in schema:
        return label
    data = {name.lower() for name, _ in struct_fields(schema)}
    own = set(ID_PATTERN.findall(label.partition("] Batched: ")[0]))
    names = {name for name in _filtered(own, optimized) if name.rpartition("#")[0].lower() not in data}
    names.update(_FILTERED.findall(match["cut"]) if names else ())
    return f"{label[: match.start()]}[{', '.join(sorted(names))}]{label[match.end() :]}" if names else label


_HEAD = re.compile(r"(?:(?:[*^](?:\(\d+\))? |\*(?=[A-Z])|!|'|~)+)?(?:Execute )?[\w$.]+ ?")
_AMBIGUOUS_ID = re.compile(rf"#{NUMBER}L?{ID_START}| AS [^#,\[\]]*, | AS [^,()\[\]]* AS ")
_AS_IN_BRANCH = re.compile(r" AS (?:(?! AS |CASE WHEN )[^,])* (?:THEN|ELSE|else|END)(?!\w)")
"""An AS of a literal in a CASE or an IF: `THEN x AS y ELSE b#2 END`; the alias has its AS after the END."""
_AGGREGATE = re.compile(r"(\(keys?=\[)(.*?)(\], functions=\[)(.*?)(\](?:, output=\[(.*)\])?\))$", re.DOTALL)
_TOP = re.compile(r"(\(limit=-?\d+, (?:offset=\d+, )?orderBy=\[)(.*?)(\], output=\[)(.*)(\]\))$", re.DOTALL)
_BETWEEN_KEYS = re.compile(r"(?:(?<= NULLS FIRST)|(?<= NULLS LAST)),(?=\S)")
_ATTRIBUTE = re.compile(rf"(?<=[\[,])[^\[\](),#]+#{NUMBER}L?(?=[,\]])")
_SCANS = ("FileScan", "BatchScan", "Scan", "HiveTableScan", "Relation", "MicroBatchScan", "InMemory")
_PASSING_ON = ("AdaptiveSparkPlan", "Exchange", "Sort", "Limit", "Coalesce")
"""The ends of the names of operators that output the columns of their input."""
_TOO_LONG = 200_000


class EscapedLines:
    """The lines of a tree, with ambiguous names and literals escaped.

    Attributes:
        labels: The lines without their branches.
    """

    def __init__(self, labels: Sequence[str], columns: Sequence[str] = (), logical: Sequence[str] = ()) -> None:
        """Read the lines of a tree.

        Args:
            labels: The lines without their branches, consumers before their inputs.
            columns: The names of the output columns, `... 2 more fields` included; none if they are unknown.
        """
        names = () if listed(columns).missing else columns
        self._escaper: PlanEscaper | None = None
        self.labels = list(labels)
        self.ambiguous: Mapping[str, str] = {}
        self.other_names: Mapping[int, str] = {}
        if any(map(is_ambiguous_name, columns)) or any(map(is_ambiguous_line, [*labels, *_computing(logical)])):
            escaper = self._escaper = PlanEscaper.of_plan("\n".join(labels), "\n".join(logical), names)
            counts = {_root_project(labels): len(columns) or None}
            read = [_escaped(escaper, labels[at], counts.get(at)) for at in reversed(range(len(labels)))]
            self.labels, self.ambiguous, self.other_names = read[::-1], escaper.others, escaper.other_names

    def logical(self, plans: Sequence[str]) -> LogicalResults:
        """Return the named expressions of logical plans, ambiguous names and literals escaped as in the lines."""
        return logical_results(plans, self._escaper)


def is_ambiguous_line(label: str) -> bool:
    """Return whether names or literals of a line may look like structure, in time that grows with the line.

    >>> is_ambiguous_line("Project [CASE WHEN (a#1 > 1) THEN x AS y ELSE b#2 END AS c#3]")
    True
    >>> is_ambiguous_line("Project [CASE WHEN (a#1 > 1) THEN x ELSE b#2 END AS c#3, if ((a#1 > 1)) x else y AS d#4]")
    False
    """
    if " AS " in label and _word(label).startswith(_SCANS):  # a column `sum(CAST(x AS DOUBLE))`
        return True
    if _SCHEMA in label:
        return any(is_ambiguous_name(name) for name, _ in struct_fields(label.rpartition(_SCHEMA)[2]))
    if is_suspicious(label) or any(each.search(label) for each in (_AMBIGUOUS_ID, _AS_IN_BRANCH)):
        return True
    return "], [" in label and is_crossed(label)  # a literal that separates lists


def _computing(plans: Sequence[str]) -> Iterator[str]:
    return (line for plan in plans for line in plan.split("\n") if "Aggregate [" in line or "Project [" in line)


def _root_project(labels: Sequence[str]) -> int:
    """Return the index of the Project that computes the query's columns; -1 if another operator does."""
    for at, label in enumerate(labels):
        word = _word(label)
        if word == "Project":
            return at
        if not word.endswith(_PASSING_ON):
            return -1
    return -1


def _word(label: str) -> str:
    match = _HEAD.match(label)
    return match[0].strip(" *^!'~0123456789()") if match else ""


def _escaped(escaper: PlanEscaper, label: str, count: int | None = None) -> str:
    match = _HEAD.match(label)
    if match is None or len(label) > _TOO_LONG:
        return label
    head, rest, word = match[0], label[match.end() :], _word(label)
    if word.startswith(_SCANS):
        escaper.schema(label.rpartition(_SCHEMA)[2])
        label = escaper.text(label)
        escaper.certain(_ATTRIBUTE.findall(label))
        return label
    return head + _arguments(escaper, word, escaper.text(rest), count)


def _arguments(escaper: PlanEscaper, word: str, rest: str, count: int | None) -> str:
    if word == "Project" and rest.startswith("[") and rest.endswith("]"):
        return f"[{', '.join(escaper.named_list(rest[1:-1], count))}]"
    if word == "Filter":
        return escaper.expression(rest)
    if match := _AGGREGATE.match(rest):
        keys = ", ".join(escaper.named_list(match[2]))
        functions = escaper.text(unescaped(match[4]))  # they name the keys
        read = ", ".join(escaper.uncounted_functions(functions))
        outputs = match[5]
        if match[6] is not None:
            outputs = f"], output=[{', '.join(escaper.named_list(escaper.text(unescaped(match[6]))))}])"
        return f"{match[1]}{keys}{match[3]}{read}{outputs}"
    if match := _TOP.match(rest):
        keys = ",".join(map(escaper.sort_key, _BETWEEN_KEYS.split(match[2])))
        return f"{match[1]}{keys}{match[3]}{match[4]}{match[5]}"
    return escaper.arguments(rest)


_HEADER = "== Physical Plan ==\n"
_HOSTS = re.compile(r"(?:Project|Filter|Aggregate|Join|LateralJoin|Sort|Window|Generate|\w+Command|\w+Table)$")
"""Operators of logical trees that print the plans of their subqueries; Delta's commands do not (up to 4.3)."""


def read_tree_string(parts: Sections, wide: WideTables = ()) -> Plan:
    """Read the physical plan of extended, simple or cost text.

    Args:
        parts: The parts of the text; the logical plans provide the results of aggregates.
    """
    lines = read_lines(_OLD_SUBQUERY.sub(r"\1#\2, [id=#\2]", parts.physical.removeprefix(_HEADER).rstrip("\n")))
    if " PartitionFilters: [" in parts.physical and parts.optimized:
        lines = with_partition_filters(lines, read_lines(parts.optimized.strip("\n")))
    logical = (parts.optimized, parts.analyzed) if parts.mode is not Mode.SIMPLE else ()
    blocks = read_formatted(parts.blocks).root if parts.blocks else None
    return _Builder(lines, logical, wide, columns=parts.columns, blocks=blocks).plan()


def read_logical(tree: str, wide: WideTables = ()) -> Plan:
    r"""Read an analyzed, optimized or parsed logical plan.

    Args:
        tree: `Sections.analyzed`, `Sections.optimized` or `Sections.parsed`.

    >>> read_logical("Project [id#1L]\n+- Range (0, 5, step=1, splits=None)").root.operator
    'Project'
    """
    return _Builder(read_lines(tree.strip("\n")), None, wide).plan()


WideTables = Sequence[tuple[str, Sequence[str]]]
"""Full name and all columns of tables whose lists are truncated; several of a table that changes."""
_TABLE_NAME = re.compile(r"`[^`]+`(?:\.`[^`]+`)+")
TRUNCATED_LIST = re.compile(r"\[([^\[\]\n]+?), ?\.\.\. \d+ more fields\]")


def complete_relation(operator: DescribedOperator, wide: WideTables) -> None:
    """Complete the columns of a table's relation, and those of a scan of all its columns, in the same order."""
    if not wide or not any(" more fields" in each.text for each in operator.fields.values()):
        return
    added: list[str] = []
    if operator.name == "LogicalRelation" and (match := TRUNCATED_LIST.search(operator.fields["Arguments"].text)):
        text = match.string
        columns = read(EXPRESSIONS, match[0][1:-1].replace(",", ", ").replace(",  ", ", "))
        added = _further(text[match.end() :], columns, wide)
        whole = f"[{', '.join([*columns, *added])}]" if added else match[0]
        operator.fields["Arguments"] = Field(f"{text[: match.start()]}{whole}{text[match.end() :]}")
    elif operator.name.startswith("Scan ") and "Output" in operator.fields:
        columns = listed(operator.fields["Output"].items)
        added = _further(operator.name.strip().rpartition(" ")[2], columns, wide)
        operator.fields["Output"] = list_field([*columns, *added]) if added else operator.fields["Output"]
    operator.inferred.update(ids_in(" ".join(added)))


def _further(table: str, columns: Listed, wide: WideTables) -> list[str]:
    """Return the columns of a relation after those that a list has; none if they are unknown."""
    ids, names = columns.relation_ids, columns.names
    name = table_name(next(iter(_TABLE_NAME.findall(table)), table))
    for known, whole in wide:
        if ids and columns.missing and known == name and len(whole) == len(ids) and list(whole[: len(names)]) == names:
            rest = zip(whole[len(names) :], ids[len(names) :], strict=True)
            return [f"{column}#{expr_id}" for column, expr_id in rest]
    return []


class _Builder:
    """Builds the nodes of one tree."""

    def __init__(
        self,
        lines: Sequence[TreeLine],
        logical: Sequence[str] | None,
        wide: WideTables,
        *,
        columns: Sequence[str] = (),
        blocks: PlanNode | None = None,
    ) -> None:
        self._lines = lines
        self._is_logical = logical is None
        logical = logical or ()
        self._children = children_by_column(lines)
        self._order = list(lineage_lines(lines, self._children)) if lines and lines[0].label else []
        self._subqueries: list[tuple[int, str, int, int | None]] = []
        self._below: dict[int, list[int]] = {at: self._own_children(at) for at in self._order}
        escaped = EscapedLines([lines[at].label for at in self._order], columns, logical)
        self._described = {at: describe_line(label) for at, label in zip(self._order, escaped.labels, strict=True)}
        if blocks is not None and self._order:
            self._described |= _described_by_blocks(self._order[0], blocks, self._below, self._described)
        self._name_relations()
        self._mark_physical()
        for operator in self._described.values():
            complete_relation(operator, wide)
        results = escaped.logical(logical)
        for root in (*self._order[:1], *(root for _, _, _, root in self._subqueries)):
            if root is not None:
                complete_fields(root, self._below, self._described, results)
        self._ambiguous, self._other_names = escaped.ambiguous, escaped.other_names

    def plan(self) -> Plan:
        """Return the plan."""
        if not self._order:
            return Plan(None)
        exchanges = self._exchanges()
        built: dict[int, PlanNode] = {}
        for at in reversed(self._order):
            operator = self._described[at]
            inputs = tuple(built[child] for child in self._below[at])
            reuses = exchanges.get(_exchange_key(operator.reused)) if operator.reused else None
            built[at] = _node(at, operator, inputs, reuses)
        subqueries = tuple(
            Subquery(expr_id, host, expression, built[root] if root is not None else None)
            for host, expression, expr_id, root in self._subqueries
        )
        return Plan(built[self._order[0]], subqueries, ambiguous=self._ambiguous, other_names=self._other_names)

    def _own_children(self, at: int) -> list[int]:
        """Return the inputs of an operator, and collect its subqueries, which are printed two levels below it."""
        line, own = self._lines[at], []
        ids = _hosted(stripped(line.label))
        for child in self._children[at]:
            text = stripped(self._lines[child].label)
            inner = self._lines[child].column >= line.column + INNER_COLUMNS
            if _SUBQUERY.match(text):
                expr_id = subquery_id(text)
                root = next(iter(self._children[child]), None)
                if expr_id is not None:
                    self._subqueries.append((at, text.partition("\n")[0], expr_id, root))
            elif inner and ids:
                expression, expr_id = ids.pop(0)
                self._subqueries.append((at, expression, expr_id, child))
            else:
                own.append(child)
        return own

    def _name_relations(self) -> None:
        for at in self._order:
            label = stripped(self._lines[at].label)
            for child in self._children[at] if label.startswith("SubqueryAlias ") else ():
                if self._described[child].name == "LogicalRelation":
                    name_relation(self._described[child], label.removeprefix("SubqueryAlias "))

    def _mark_physical(self) -> None:
        """Set an empty `Input` on physical operators: Generate needs it to distinguish its two lists of columns.

        The tree two levels below a command is logical, that below a cached relation is physical.
        """
        logical: set[int] = set(self._order[:1] if self._is_logical else ())
        for at in self._order:
            label, children = stripped(self._lines[at].label), self._children[at]
            if not label.startswith(("InMemory", "Scan In-memory")):
                logical.update(child for child in children if at in logical or self._is_query(at, child))
            if at not in logical:
                self._described[at].fields.setdefault("Input", Field("", 0))

    def _is_query(self, at: int, child: int) -> bool:
        """Return whether an input is printed two levels below its operator, as a command's query is."""
        return self._lines[child].column >= self._lines[at].column + INNER_COLUMNS and child in self._below[at]

    def _exchanges(self) -> Mapping[str, int]:
        """Return the exchanges that others can reuse, by their number (3.0+) or their text."""
        found: dict[str, int] = {}
        for at in self._order:
            label = stripped(self._lines[at].label)
            if "Exchange" in label.partition(" ")[0] and not label.startswith("ReusedExchange"):
                found.setdefault(_exchange_key(label), at)
        return found


def _described_by_blocks(
    root: int, printed: PlanNode, below: Mapping[int, Sequence[int]], described: Mapping[int, DescribedOperator]
) -> dict[int, DescribedOperator]:
    """Return the operators whose block a truncated text has, by the index of their line.

    The tree has no `InMemoryRelation` above a cached plan (`SparkPlanInfo.fromSparkPlan`, 3.0 to 4.3).

    Args:
        printed: The root of the plan whose blocks are complete from the scans up.
    """
    found: dict[int, DescribedOperator] = {}
    waiting = [(root, printed)]
    while waiting:
        at, node = waiting.pop()
        operator = described[at]
        if node.operator == "InMemoryRelation" and len(node.children) == 1:
            node = node.children[0]
        if canonical(operator.name, operator.fields)[0] != node.operator:
            continue
        if node.fields:
            found[at] = DescribedOperator(node.name, dict(node.fields), operator.reused)
        if len(below[at]) == len(node.children):
            waiting.extend(zip(below[at], node.children, strict=True))
    return found


def _hosted(label: str) -> list[tuple[str, int]]:
    """Return the subqueries whose plans follow a line of a logical tree, in order: `exists#12`, and the number."""
    word = label.partition(" ")[0]
    if not _HOSTS.match(word) or find_command(word).target is Target.CHILD:
        return []
    found: dict[int, str] = {}
    for match in SUBQUERY_PATTERN.finditer(label):
        found.setdefault(int(match[1]), match[0])
    return [(expression, expr_id) for expr_id, expression in found.items()]


def _exchange_key(label: str) -> str:
    match = _PLAN_ID.search(label)
    return match[1] if match else label


def _node(at: int, operator: DescribedOperator, inputs: tuple[PlanNode, ...], reuses: int | None) -> PlanNode:
    name, argument = canonical(operator.name, operator.fields)
    if argument == "Execute" and "Arguments" not in operator.fields and [node.operator for node in inputs] == [name]:
        return inputs[0]  # `Execute X` above the command X has no details of its own
    fields: dict[str, Field] = operator.fields
    return PlanNode(name, operator.name, argument, at, fields, inputs, reuses, inferred=frozenset(operator.inferred))
