"""Read the lines of scans and relations: `Scan hive db.t [a#1]`, `BatchScan db.t[id#1L]`, `Relation[id#1L] parquet`.

Source: the `simpleString` of `FileSourceScanExec`, `RowDataSourceScanExec`, `HiveTableScanExec`, `BatchScanExec`,
`LogicalRelation` and `DataSourceV2Relation`, 2.4 to 4.3. A reader takes the operator's name and the rest of its line.
"""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import ends_with_id
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION
from eventlog_lineage.plan.nodes import Field

from .described_operator import DescribedOperator, list_field
from .line_lists import TRUNCATION, argument_field, attribute_items, first_list

_KEYS_OF_SCANS = ("SelectedBucketsCount", "ReadSchema", "PushedFilters", "PartitionFilters", "Location", "Format")
_PAIR = re.compile(r"(?:^|, )(\w+): ")
_TABLE = r"`[^`]+`(?:\.`[^`]+`)*"
_HIVE = re.compile(rf"HiveTableRelation \[?(?P<table>{_TABLE})")


def file_scan(head: str, rest: str) -> DescribedOperator:
    """Read `FileScan parquet db.t[id#1L,k#2] Batched: true, DataFilters: [], …, ReadSchema: struct<id:bigint>`.

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> file_scan("FileScan", "parquet db.t[id#1L,k#2] Batched: true").fields["Output"].items
    ('id#1L', 'k#2')
    """
    listed, found, pairs = rest.rpartition("] Batched: ")
    name, _, items = listed.partition("[")
    if not found:
        return DescribedOperator(f"Scan {rest}", {})
    fields = {"Output": list_field(attribute_items(items)), "Batched": Field(pairs.partition(",")[0])}
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

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> scan("Scan", "ExistingRDD[a#1]").fields["Output"].items
    ('a#1',)
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
    items = attribute_items(rest[at + 1 : end])
    name = rest[:at].strip()
    if not name:  # an RDD of objects
        return DescribedOperator("Scan ", argument_field(f"{', '.join(items)}"))
    return DescribedOperator(
        f"Scan {name} ", {"Output": list_field(items), **_scan_pairs(rest[end + 1 :]), **_pushed(rest[end + 1 :])}
    )


def _pushed(text: str) -> dict[str, Field]:
    """Read `PushedAggregates: [COUNT(id)]` and `PushedFilters` of a connector's scan, each up to the next label."""
    fields: dict[str, Field] = {}
    for label in ("PushedAggregates", "PushedFilters"):
        _, found, rest = text.partition(f"{label}: ")
        if found:
            fields[label] = Field(re.split(r", [A-Z]\w+: ", rest, maxsplit=1)[0])
    return fields


def hive_scan(head: str, rest: str) -> DescribedOperator:
    """Read `HiveTableScan [a#1, b#2], HiveTableRelation …, [filters]`; 3.0 and later print `Scan hive db.t` first.

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> hive_scan("Scan hive db.t", "[a#1, b#2], HiveTableRelation").fields["Output"].items
    ('a#1', 'b#2')
    """
    match = _HIVE.search(rest)
    name = head if head.startswith("Scan hive") else f"Scan hive {match['table'].replace('`', '') if match else ''}"
    return DescribedOperator(name, {"Output": list_field(first_list(rest)), **argument_field(rest)})


def batch_scan(head: str, rest: str) -> DescribedOperator:
    """Read `BatchScan db.t[id#1L] <the connector's description> RuntimeFilters: []`; scans of paths print pairs.

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> batch_scan("BatchScan", "ice.db.t[id#1L] ice.db.t (branch=null) RuntimeFilters: []").name
    'BatchScan ice.db.t'
    """
    at = _list_start(rest)
    if at < 0:
        return DescribedOperator(f"{head} {rest}".strip(), {})
    end = _list_end(rest, at)
    text = rest[end + 1 :].partition(" RuntimeFilters: ")[0].strip()
    fields = {"Output": list_field(attribute_items(rest[at + 1 : end]))}
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


def relation(head: str, rest: str) -> DescribedOperator:
    """Read `Relation[id#1L,k#2] parquet` of a logical tree; 3.2 and later print the table: `Relation db.t[id#1L] …`.

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> relation("Relation", "db.t[id#1L,k#2] parquet").fields["Arguments"].text
    'parquet, [id#1L, k#2], `db`.`t`, false'
    """
    at = _list_start(rest)
    end = _list_end(rest, at)
    items = attribute_items(rest[at + 1 : end]) if at >= 0 else []
    kind = rest[end + 1 :].strip() or "unknown"
    return DescribedOperator(
        "LogicalRelation", argument_field(f"{kind}, [{', '.join(items)}]{_quoted(rest[:at])}, false")
    )


def relation_v2(head: str, rest: str) -> DescribedOperator:
    """Read `RelationV2[id#1L, k#2] cat.db.t t`; the connector's name for the table follows, then options.

    Args:
        head: The operator's name.
        rest: The rest of its line.

    >>> relation_v2("RelationV2", "[id#1L, k#2] cat.db.t t").fields["Arguments"].text
    '[id#1L, k#2], cat.db.t'
    """
    end = _list_end(rest, 0)
    name = rest[end + 1 :].strip().partition(" ")[0].rstrip(",")
    return DescribedOperator(head, argument_field(", ".join(filter(None, (rest[: end + 1], name)))))


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
    """Return the end of a list of attributes; names within it may contain brackets.

    Args:
        text: The rest of the line.
        at: Offset of the list's bracket.
    """
    for match in re.finditer(r"\]", text[max(at, 0) :]):
        end = max(at, 0) + match.start()
        inside = text[at + 1 : end]
        if not inside or ends_with_id(inside) or TRUNCATION.search(inside):
            return end
    return len(text)
