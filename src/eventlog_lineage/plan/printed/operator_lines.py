"""Read one line of a tree string: the node's name and its fields, with the labels of formatted text.

Source: the `simpleString` and `verboseString` of Spark's operators, 2.4 to 4.3: `FileSourceScanExec`,
`RowDataSourceScanExec`, `HiveTableScanExec`, `BatchScanExec`, `LogicalRelation`, `DataSourceV2Relation`,
`HashAggregateExec` and the joins have their own formats, all others use `TreeNode.argString`. A reader takes the
operator's name and the rest of its line.

`printed_operators` lists a physical plan's operators, of all modes, without parsing it: enough for names of tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.extensions import Role, Target, find_command
from eventlog_lineage.plan.grammar.attribute_ids import ends_with_id
from eventlog_lineage.plan.grammar.symbols import (
    EMPTY,
    ENDING_IN_IDS,
    EXPRESSIONS,
    TIGHT,
    Field,
    hidden_items,
    inner,
    is_list,
    read,
    read_arguments,
    split,
)

from .formatted import DESCRIPTION
from .operator_names import JOINS, engine_of, has_own_lists, join_fields, spark_fields, spark_word, without_mode
from .sections import Mode, Sections
from .tree_lines import read_lines


@dataclass(slots=True)
class DescribedOperator:
    """The operator of a line.

    Attributes:
        name: The node's name as in formatted text.
        fields: Label and field as in formatted text.
        reused: The exchange that a ReusedExchange names, as printed; empty for other operators.
        outputs: The outputs of an aggregate; None if they are not printed.
        inferred: The ids of outputs that the line does not print, or whose sources it does not print.
    """

    name: str
    fields: dict[str, Field] = field(default_factory=dict)
    reused: str = ""
    outputs: list[str] | None = None
    inferred: set[int] = field(default_factory=set)


EMPTY_FIELD = Field("")


def list_field(items: list[str], text: str = "") -> Field:
    """Return a counted list of items.

    Args:
        text: The list as printed; by default the items, joined by commas.
    """
    return Field(text or ", ".join(items), len(items), tuple(items))


def argument_field(text: str) -> dict[str, Field]:
    """Return the arguments in the form of formatted text: options are `[k=v]` there, `Map(k -> v)` in tree strings.

    Scala 2.13 prints `HashMap(` from the fifth option on.

    >>> argument_field("a#1, Map(path -> /x)")["Arguments"].text
    'a#1, [path=/x]'
    >>> argument_field("jdbc@1, HashMap(url -> u, dbtable -> t, …), Append")["Arguments"].text
    'jdbc@1, [url=u, dbtable=t, …], Append'
    """
    if "Map(" in text:
        text = ", ".join(map(_without_arrows, read_arguments(text)))
    return {"Arguments": Field(text)} if text else {}


def _without_arrows(part: str) -> str:
    match = _MAP.fullmatch(part)
    if match is None:
        return part
    pairs = (pair.replace(" -> ", "=", 1) for pair in read_arguments(match[1]))
    return f"[{', '.join(pairs)}]"


def first_list(text: str) -> list[str]:
    """Return the items of the first list of a text, which can follow a word.

    >>> first_list("<empty>, [x#1, y#2]")
    ['x#1', 'y#2']
    """
    found = next(filter(is_list, read_arguments(text)), "")
    return split(ENDING_IN_IDS, inner(found)) if found else []


_KEYS_OF_SCANS = (
    "SelectedBucketsCount",
    "ReadSchema",
    "PushedFilters",
    "PartitionFilters",
    "PartitionCount",  # up to 2.4
    "Location",
    "Format",
)
_PAIR = re.compile(r"(?:^|, )(\w+): ")
_TABLE = r"`[^`]+`(?:\.`[^`]+`)*"
_MAP = re.compile(r"(?:Hash)?Map\((.*)\)", re.DOTALL)
_HIVE = re.compile(rf"HiveTableRelation \[?(?P<table>{_TABLE})")


def file_scan(head: str, rest: str) -> DescribedOperator:
    """Read `FileScan parquet db.t[id#1L,k#2] Batched: true, DataFilters: [], …, ReadSchema: struct<id:bigint>`.

    >>> file_scan("FileScan", "parquet db.t[id#1L,k#2] Batched: true").fields["Output"].items
    ('id#1L', 'k#2')
    >>> file_scan("FileScan", "csv [a#1] Batched: false, Location: X[/t], PartitionCount: 2").fields["Location"].text
    'X[/t]'
    """
    listed, found, pairs = rest.rpartition("] Batched: ")
    name, _, items = listed.partition("[")
    if not found:
        return DescribedOperator(f"Scan {rest}", {})
    fields = {"Output": list_field(split(TIGHT, items)), "Batched": Field(pairs.partition(",")[0])}
    return DescribedOperator(f"Scan {name.strip()} ", {**fields, **_scan_pairs(pairs)})


def _scan_pairs(text: str) -> dict[str, Field]:
    """Read a scan's details from the end: literals within filters can look like the details before."""
    fields: dict[str, Field] = {}
    for key in _KEYS_OF_SCANS:
        head, found, value = text.rpartition(f", {key}: ")
        if found:
            text = head
            fields[key] = Field(_closed(value) if key.endswith("Filters") else value)
    return fields


def _closed(filters: str) -> str:
    """Return a list of filters; only its attributes if Spark truncated it."""
    if filters.endswith("]"):
        return filters
    found = re.findall(rf"[\w.$-]+{ID}", filters)
    return f"[{', '.join(dict.fromkeys(found))}]"


def scan(head: str, rest: str) -> DescribedOperator:
    """Read scans of rows: `Scan hive db.t [a#1], …`, `Scan ExistingRDD[a#1]`, `Scan JDBCRelation(t) [a#1] …`.

    >>> scan("Scan", "ExistingRDD[a#1]").fields["Output"].items
    ('a#1',)
    >>> printed = "cat.ns.t[k#1] PushedFilters: [], PushedGroupByExpressions: [k], ReadSchema: struct<k:int>"
    >>> scan("Scan", printed).fields["PushedGroupByExpressions"].text
    '[k]'
    """
    if "] Batched: " in rest:
        return file_scan(head, rest)
    if rest.startswith("In-memory table"):
        name, _, _ = rest.partition(" [")
        return DescribedOperator(f"Scan {name}", {"Output": list_field(first_list(rest[len(name) :].strip()))})
    if rest.startswith("hive "):
        name = rest.split(" ", 2)[1].partition("[")[0]
        return hive_scan(f"Scan hive {name}", rest[5 + len(name) :].strip())
    at = _list_start(rest)
    if at < 0:
        return DescribedOperator(f"Scan {rest}", {})
    end = _list_end(rest, at)
    items = split(TIGHT, rest[at + 1 : end])
    name = rest[:at].strip()
    if not name:  # an RDD of objects
        return DescribedOperator("Scan ", argument_field(f"{', '.join(items)}"))
    return DescribedOperator(
        f"Scan {name} ", {"Output": list_field(items), **_scan_pairs(rest[end + 1 :]), **_pushed(rest[end + 1 :])}
    )


def _pushed(text: str) -> dict[str, Field]:
    """Read what a connector's scan applies, `PushedAggregates: [COUNT(id)]`, each up to the next label."""
    fields: dict[str, Field] = {}
    for label in ("PushedAggregates", "PushedFilters", "PushedGroupByExpressions", "PushedJoins", "PushedTopN"):
        _, found, rest = text.partition(f"{label}: ")
        if found:
            fields[label] = Field(re.split(r", [A-Z]\w+: ", rest, maxsplit=1)[0])
    return fields


def hive_scan(head: str, rest: str) -> DescribedOperator:
    """Read `HiveTableScan [a#1, b#2], HiveTableRelation …, [filters]`; 3.0 and later print `Scan hive db.t` first.

    >>> hive_scan("Scan hive db.t", "[a#1, b#2], HiveTableRelation").fields["Output"].items
    ('a#1', 'b#2')
    """
    match = _HIVE.search(rest)
    name = head if head.startswith("Scan hive") else f"Scan hive {match['table'].replace('`', '') if match else ''}"
    return DescribedOperator(name, {"Output": list_field(first_list(rest)), **argument_field(rest)})


def batch_scan(head: str, rest: str) -> DescribedOperator:
    """Read `BatchScan db.t[id#1L] <the connector's description> RuntimeFilters: []`; scans of paths print pairs.

    >>> batch_scan("BatchScan", "ice.db.t[id#1L] ice.db.t (branch=null) RuntimeFilters: []").name
    'BatchScan ice.db.t'
    """
    at = _list_start(rest)
    if at < 0:
        return DescribedOperator(f"{head} {rest}".strip(), {})
    end = _list_end(rest, at)
    text = rest[end + 1 :].partition(" RuntimeFilters: ")[0].strip()
    fields = {"Output": list_field(split(TIGHT, rest[at + 1 : end]))}
    if "Location: " in text:
        fields |= {match[1]: Field(value) for match, value in _pairs(text)}
        fields["Format"] = fields.get("Format") or Field(text.partition("Scan ")[0].strip().lower())
    else:
        fields[DESCRIPTION] = Field(text)
    return DescribedOperator(f"{head} {rest[:at].strip()}".strip(), fields)


def _pairs(text: str) -> list[tuple[re.Match[str], str]]:
    text = text.partition(" ")[2]
    found = list(_PAIR.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [(match, text[match.end() : end]) for match, end in zip(found, ends, strict=True)]


class PrintedRelation(NamedTuple):
    """A relation of a logical plan, as its line or an argument of a command prints it.

    Attributes:
        table: The text before its attributes: the table of `Relation`, since 3.2.
        columns: Its attributes, without brackets.
        rest: The text after them: what it reads; the table of `RelationV2`.
    """

    table: str
    columns: str
    rest: str

    @property
    def identifier(self) -> str:
        """The table of `RelationV2`; Iceberg prints a path after `default_iceberg.…PathIdentifier@57039284`."""
        identifier, _, own = self.rest.partition(" ")
        return own if "PathIdentifier@" in identifier else identifier.rstrip(",")


def read_relation(text: str) -> PrintedRelation | None:
    """Read a relation: `Relation db.t[id#1L,k#2] parquet`, `RelationV2[id#1L, k#2] cat.db.t t`; None for other text.

    >>> read_relation("Relation db.t[id#1L,k#2] parquet")
    PrintedRelation(table='db.t', columns='id#1L,k#2', rest='parquet')
    """
    word, bracket, rest = text.partition("[")
    kind, _, table = word.partition(" ")
    if kind not in {"Relation", "RelationV2"} or not bracket:
        return None
    end = _list_end(rest, -1)
    return PrintedRelation(table.strip(), rest[:end], rest[end + 1 :].strip())


def relation(head: str, rest: str) -> DescribedOperator:
    """Read `Relation[id#1L,k#2] parquet` of a logical tree; 3.2 and later print the table: `Relation db.t[id#1L] …`.

    >>> relation("Relation", "db.t[id#1L,k#2] parquet").fields["Arguments"].text
    'parquet, [id#1L, k#2], `db`.`t`, false'
    """
    table, columns, kind = read_relation(f"{head} {rest}") or PrintedRelation(rest, "", "")
    items = ", ".join(split(TIGHT, columns))
    return DescribedOperator(
        "LogicalRelation", argument_field(f"{kind or 'unknown'}, [{items}]{_quoted(table)}, false")
    )


def relation_v2(head: str, rest: str) -> DescribedOperator:
    """Read `RelationV2[id#1L, k#2] cat.db.t t`; the connector's name for the table follows, then options.

    >>> relation_v2("RelationV2", "[id#1L, k#2] cat.db.t t").fields["Arguments"].text
    '[id#1L, k#2], cat.db.t'
    """
    known = read_relation(f"{head} {rest}") or PrintedRelation("", "", "")
    return DescribedOperator(head, argument_field(", ".join(filter(None, (f"[{known.columns}]", known.identifier)))))


def view(head: str, rest: str) -> DescribedOperator:
    """Read ``View (`db`.`v`, [a#1,b#2])`` of a logical tree (2.4 to 4.3).

    >>> view("View", "(`db`.`v`, [a#1,b#2])").fields["Arguments"].text
    '`db`.`v`, [a#1, b#2]'
    """
    text = rest.removeprefix("(").removesuffix(")")
    at = _list_start(text)
    if at < 0:
        return DescribedOperator(head, argument_field(text))
    return DescribedOperator(head, argument_field(f"{text[:at]}[{', '.join(split(TIGHT, text[at + 1 : -1]))}]"))


def name_relation(relation: DescribedOperator, alias: str) -> None:
    """Set the table of a relation that prints none (up to 3.1) to that of the `SubqueryAlias` above it.

    Args:
        relation: A relation of a logical tree; updated.
        alias: The argument of the `SubqueryAlias`: a table's name, or only the alias of a path's relation; a path that
            is read as a table is ``spark_catalog.delta.`/x` ``, which is not a table's name.
    """
    text = relation.fields["Arguments"].text
    if "." in alias and "/" not in alias and text.endswith("], false"):
        relation.fields["Arguments"] = Field(f"{text.removesuffix(', false')}{_quoted(alias)}, false")


def _quoted(table: str) -> str:
    words = [word for word in table.strip().replace("`", "").split(".") if word]
    return ", " + ".".join(f"`{word}`" for word in words) if words else ""


def _list_start(text: str) -> int:
    """Return the offset of the list of attributes that directly follows a name; -1 if there is none."""
    for match in re.finditer(r"\[", text):
        if re.match(rf"\[(?:\]|[^\]]*?{ID})", text[match.start() : match.start() + 300], re.DOTALL):
            return match.start()
    return -1


def _list_end(text: str, at: int) -> int:
    """Return the end of a list of attributes; names within it may contain brackets."""
    for match in re.finditer(r"\]", text[max(at, 0) :]):
        end = max(at, 0) + match.start()
        inside = text[at + 1 : end]
        if not inside or ends_with_id(inside) or hidden_items(inside):
            return end
    return len(text)


_PREFIX = re.compile(r"(?:[*^](?:\(\d+\))? |\*(?=[A-Z])|!|'|~)+")
"""`*(1) Project`; `*Project` up to 2.2; Gluten's stages have `^(1) `; streaming operators have `~` (4.1+)."""
_WORD = re.compile(r"'?[\w$.]+")
_AGGREGATE = re.compile(r"\(?keys?=\[(.*?)\], functions=\[(.*?)\](?:, filters=.*)?\)?$", re.DOTALL)
_TOP = re.compile(r"\(limit=(-?\d+), (?:offset=\d+, )?orderBy=\[(.*?)\], output=\[(.*)\]\)$", re.DOTALL)
_INNER_ALIAS = re.compile(rf"({ID}) AS [\w.$-]+{ID}(?=[,)\s])")
_BETWEEN_KEYS = re.compile(r"(NULLS (?:FIRST|LAST)),(?=\S)")


def stripped(label: str) -> str:
    """Return an operator's line without codegen marks and the quotes of unresolved plans.

    >>> stripped("*(1) Project [id#1L]")
    'Project [id#1L]'
    """
    match = _PREFIX.match(label)
    return label[match.end() :] if match else label


def describe_line(label: str) -> DescribedOperator:
    """Return the operator of a line.

    Args:
        label: The line without its branches; its arguments can contain line breaks.

    >>> describe_line("*(2) Filter (id#1L > 2)").fields["Condition"].text
    '(id#1L > 2)'
    """
    unresolved = label.startswith("'")
    label = stripped(label)
    word = _WORD.match(label)
    head = word[0] if word else label.partition(" ")[0]
    rest = label[len(head) :].strip()
    if head == "Execute":
        return _execute(rest)
    engine = engine_of(head)
    name = spark_word(head) if engine else head
    rest = without_mode(rest) if engine else rest
    own = unresolved or (rest.startswith("[") and has_own_lists(engine, name))
    reader = None if own else _READERS.get(name)
    known = reader(name, rest) if reader else _plain(name, rest)
    return replace(known, fields=spark_fields(engine, name, known.fields)) if engine else known


def _plain(head: str, rest: str) -> DescribedOperator:
    command = find_command(head)
    if command.role is Role.RESULT:
        return _listed_first(head, rest)
    if command.target is Target.NODE_NAME:
        table = re.match(r"([\w-]+(?:\.[\w-]+){1,3}) ", f"{rest} ")  # 4.2+ prints the table in the node's name
        if table:
            return DescribedOperator(f"{head} {table[1]}", argument_field(rest[table.end() :]))
    return DescribedOperator(head, argument_field(rest))


def _execute(rest: str) -> DescribedOperator:
    """Read `Execute X <arguments>`; 2.4 prints the name of the command twice."""
    command, _, text = rest.partition(" ")
    return DescribedOperator(f"Execute {command}", argument_field(text.removeprefix(f"{command} ").strip()))


def _project(head: str, rest: str) -> DescribedOperator:
    columns = read(ENDING_IN_IDS, rest[1:-1]) if rest.startswith("[") else EMPTY
    if columns.missing:
        return DescribedOperator(head, argument_field(rest))
    return DescribedOperator(head, {"Output": list_field(list(columns), rest[1:-1])})


def _filter(head: str, rest: str) -> DescribedOperator:
    """Read a filter; 3.0 leaves aliases within conditions that it pushed down: `isnotnull(order_id#33L AS x#49L)`."""
    return DescribedOperator(head, {"Condition": Field(_INNER_ALIAS.sub(r"\1", rest))})


def _listed_first(head: str, rest: str) -> DescribedOperator:
    """Read leaves with their attributes as first list: `LocalTableScan [x#1, y#2]`, `LocalTableScan <empty>, [x#1]`."""
    return DescribedOperator(head, {"Output": list_field(first_list(rest)), **argument_field(rest)})


def _loop(head: str, rest: str) -> DescribedOperator:
    """Read `UnionLoop 0, [id#1L, depth#2]` and `UnionLoopRef 0, [id#3L, depth#4], false` (4.1 to 4.3)."""
    return DescribedOperator(head, {"Loop id": Field(rest.partition(",")[0]), "Output": list_field(first_list(rest))})


def _aggregate(head: str, rest: str) -> DescribedOperator:
    text, printed, outputs = rest.rpartition(", output=[")
    body = text if printed else rest
    match = _AGGREGATE.match(body)
    if not match:
        return DescribedOperator(head, argument_field(rest))
    keys, functions = split(ENDING_IN_IDS, match[1]), split(EXPRESSIONS, match[2])
    fields = {"Keys": list_field(keys, match[1]), "Functions": list_field(functions, match[2])}
    listed = split(ENDING_IN_IDS, outputs.removesuffix(")").removesuffix("]")) if printed else None
    return DescribedOperator(head, fields, outputs=listed)


def _listing_aggregate(head: str, rest: str) -> DescribedOperator:
    """Read `MergingSessions List(k#1), true, 1, [w#2, k#1], w#2: …, [merge_sum(v#3)], [sum(v#3)#4], 2, [w#2, sum#5]`.

    An aggregate that prints all of its arguments (`MergingSessionsExec`, 3.2 to 4.3): keys, functions, attributes and
    results. Without functions it prints two lists, without keys three: Spark omits empty ones (`TreeNode.argString`).
    """
    listed = [inner(part) for part in read_arguments(rest) if is_list(part)]
    if not listed:
        return DescribedOperator(head, argument_field(rest))
    keys = "" if len(listed) % 2 else listed[0]
    called = listed[-3] if len(listed) > 2 else ""
    fields = {
        "Keys": list_field(split(ENDING_IN_IDS, keys), keys),
        "Functions": list_field(split(EXPRESSIONS, called), called),
    }
    return DescribedOperator(head, fields, outputs=split(ENDING_IN_IDS, listed[-1]))


def _top(head: str, rest: str) -> DescribedOperator:
    match = _TOP.match(rest)
    if not match:
        return DescribedOperator(head, argument_field(rest))
    order = _BETWEEN_KEYS.sub(r"\1, ", match[2])
    return DescribedOperator(head, argument_field(f"{match[1]}, [{order}], [{', '.join(split(TIGHT, match[3]))}]"))


def _join(head: str, rest: str) -> DescribedOperator:
    """Read `SortMergeJoin [a#1], [b#2], LeftOuter, BuildRight, (c#3 < d#4)`."""
    fields = join_fields(rest)
    join_type = fields.pop("Join type", Field("Inner"))
    if join_type.text.startswith("ExistenceJoin("):
        fields["Left output"] = list_field([join_type.text.removeprefix("ExistenceJoin(").removesuffix(")")])
    return DescribedOperator(head, {**fields, "Join type": join_type})


def _reused(head: str, rest: str) -> DescribedOperator:
    attributes, _, exchange = rest.partition("], ")
    return DescribedOperator(
        head, {"Output": list_field(split(ENDING_IN_IDS, attributes.removeprefix("[")))}, reused=exchange
    )


_Reader = Callable[[str, str], DescribedOperator]

_READERS: Mapping[str, _Reader] = {
    "BatchScan": batch_scan,
    "FileScan": file_scan,
    "Filter": _filter,
    "HiveTableScan": hive_scan,
    "MicroBatchScan": batch_scan,
    "ContinuousScan": batch_scan,
    "Project": _project,
    "Relation": relation,
    "RelationV2": relation_v2,
    "ReusedExchange": _reused,
    "Scan": scan,
    "TakeOrderedAndProject": _top,
    "UnionLoop": _loop,
    "UnionLoopRef": _loop,
    "View": view,
    **dict.fromkeys(("HashAggregate", "ObjectHashAggregate", "SortAggregate"), _aggregate),
    **dict.fromkeys(("MergingSessions", "ProjectAggregationBuffer", "StatefulStreamlineAggregate"), _listing_aggregate),
    **dict.fromkeys(JOINS, _join),
    **dict.fromkeys(
        ("InMemoryTableScan", "LocalRelation", "LocalTableScan", "LogicalRDD", "ShowTables"), _listed_first
    ),
}


_SCANNED = re.compile(r"(?:Batch)?Scan (?:(\w+) )?([\w$-]+(?:\.[\w$-]+)+)")


def table_of_scan(scan: str) -> tuple[str, str]:
    """Return the format and the table in the name of a scan; both empty if it has no table, or a part of a name."""
    match = _SCANNED.fullmatch(scan)
    return (match[1] or "", match[2]) if match else ("", "")


_OPERATOR_HEADER = re.compile(r"\n\(\d{1,9}\) ")
_EXECUTE = "Execute "


@dataclass(frozen=True, slots=True)
class PrintedOperator:
    """An operator as a plan text prints it.

    Attributes:
        name: Its name without `Execute`: "BatchScan shop.orders".
        output: The text in the brackets of its output; empty if it prints none.
        arguments: Its arguments in the form of formatted text; empty if it prints none.
        printed: Its complete text: its block in formatted text, its line in the other modes.
        location: Its `Location`; empty if it prints none.
    """

    name: str
    output: str
    arguments: str
    printed: str
    location: str = ""

    @property
    def input(self) -> str:
        """The text in the brackets of its input, which only formatted text prints; empty if it prints none."""
        return _listed(f"\n{self.printed}", "Input")


def printed_operators(parts: Sections) -> tuple[PrintedOperator, ...]:
    """Return the operators of a physical plan, in the order of the text."""
    return tuple(_of_blocks(parts.physical) if parts.mode is Mode.FORMATTED else _of_lines(parts.physical))


def _of_blocks(text: str) -> Iterator[PrintedOperator]:
    headers = list(_OPERATOR_HEADER.finditer(text))
    ends = (*(header.start() for header in headers[1:]), len(text))
    for header, end in zip(headers, ends, strict=False):
        printed = text[header.end() : end].rstrip("\n")
        name, _, details = printed.partition("\n")
        details = f"\n{details}"
        location = details.partition("\nLocation: ")[2].partition("\n")[0]
        arguments = details.partition("\nArguments: ")[2]
        name = name.removeprefix(_EXECUTE).strip()
        yield PrintedOperator(name, _listed(details, "Output"), arguments, printed, location)


def _listed(details: str, label: str) -> str:
    """Return the text in the brackets of a list: `Output [2]: [a#1, b#2]`, `Output: []`."""
    start = details.find(f"\n{label}")
    return details[start + 1 :].partition("\n")[0].partition(": [")[2].removesuffix("]") if start >= 0 else ""


def _of_lines(text: str) -> Iterator[PrintedOperator]:
    for line in read_lines(text.partition("\n")[2].rstrip("\n")):
        known = describe_line(line.label)
        output = known.fields.get("Output", EMPTY_FIELD)
        arguments, location = (known.fields.get(label, EMPTY_FIELD).text for label in ("Arguments", "Location"))
        name = known.name.removeprefix(_EXECUTE).strip()
        yield PrintedOperator(name, ", ".join(output.items), arguments, line.label, location)


def matches(pattern: re.Pattern[str], operators: Sequence[PrintedOperator]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in the texts of operators."""
    for operator in operators:
        yield from pattern.finditer(operator.printed)


def argument_matches(pattern: re.Pattern[str], operators: Iterable[PrintedOperator]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the start of operators' arguments."""
    return filter(None, (pattern.match(each.arguments) for each in operators))


def printed_relations(operators: Iterable[PrintedOperator]) -> Iterator[PrintedRelation]:
    """Yield the relations of a plan, and those with which the arguments of its commands begin."""
    for operator in operators:
        is_relation = operator.name in {"LogicalRelation", "RelationV2"}
        if found := read_relation(stripped(operator.printed) if is_relation else operator.arguments):
            yield found


def operators_named(name: str, operators: Iterable[PrintedOperator]) -> list[PrintedOperator]:
    """Return the operators that have a name."""
    return [each for each in operators if each.name == name]
