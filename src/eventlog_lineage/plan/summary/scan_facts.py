"""Scan plan texts for facts: each kind has a scanner, which runs only on texts that contain one of its words.

* Scans of rows that another execution or the driver program computed.
* Scans and targets that a plan text may not name: `Scan org.example.Relation@30fd723`, `BatchScan ledger`.
* Tables of catalogs that V2 commands print as objects: `CreateTable`, `DropTable`, `AlterTable` (3.0 to 4.3). A CALL
  prints no catalog, only the object of its procedure, whose class is in the package of the catalog's (3.x).
* Tables that commands of the session catalog print without a database, and changes of the session's database.
* Files of which Spark reads a line, to name the columns of a relation that it creates next.
* Columns of wide tables, of which a relation of extended text lists the first 24 (`spark.sql.debug.maxToStringFields`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Protocol

from eventlog_lineage.connectors.identify import Identified, identify
from eventlog_lineage.connectors.query import tables_in_text
from eventlog_lineage.datasets.naming import common_folder, path_name, read_location, table_name
from eventlog_lineage.extensions import (
    FactScanner,
    Query,
    Role,
    Target,
    any_pattern,
    commands_where,
    find_command,
    formats,
)
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID, LISTED_ID
from eventlog_lineage.plan.grammar.symbols import hidden_items
from eventlog_lineage.plan.grammar.types import schema_names, struct_fields
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator, argument_matches, matches, operators_named
from eventlog_lineage.plan.printed.sections import ANALYZED, Mode, Sections

from . import plan_facts

_JDBC_SCAN = re.compile(r"Scan JDBC v1 Relation from v2 scan (?P<name>\S+)")
_SOURCE_TABLE = re.compile(r"^JDBCTable\((?P<table>[^,]+),|\bJDBCTableCatalog@[0-9a-f]+, (?P<object>[^\s,\[]+)")
_JDBC_RELATION = re.compile(r"\bJDBCRelation\((?P<relation>[^()]+)\) \[numPartitions=")
_OUTPUT = re.compile(r"^Output \[\d+\]: .*\n?", re.MULTILINE)
_OPTION = re.compile(r"[\[ ]([\w.]+)=([^,\]]*)")
_LOGICAL = frozenset(("LogicalRelation", "DataSourceV2Relation"))
_JAVA_OBJECT = re.compile(r"[\w$.]+@[0-9a-f]+$")
_LONGEST = 2000
DEFAULT_WRITE = "org.apache.spark.sql.connector.write.WriteBuilder$"
"""The write of a V2 connector without a class of its own, which prints no table (3.2 to 4.1)."""

JDBC_TABLE = "jdbc:"
"""Beginning of `TableColumns.table` of a table of a database."""

_NAMED = re.compile(
    r"(?:Batch)?Scan (?:(?:ExistingRDD|In-memory|OneRowRelation|KafkaRelation|JDBCRelation\(|hive )"
    r"|(?:\w+ |JDBC v1 Relation from v2 scan )?[^\s.(\[@]+(?:\.[^\s.(\[@]+){2,}(?=\s|$)"
    r"|(?:\w+ )?(?:/|[a-z][\w+.-]*:/))"
)
"""Scans with a catalog's table, a path, a topic or a JDBC table."""
_LOCATED = re.compile(r"\bLocation: |^BatchScan\b[^\n]*\n(?:[^\n]*\n)*?[\w-]+(?:\.[\w-]+){2,} \(?\[?")
"""Scans of files, and those of Spark up to 3.2, whose description has the table."""


def scan_relations(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return a fact if a relation or target may be one that nothing names, and the tables of JDBC catalogs."""
    facts: list[plan_facts.PlanFact] = [plan_facts.UnnamedRelation()] if any(map(_may_be_unnamed, operators)) else []
    printed = [match for each in operators if (match := _SOURCE_TABLE.search(each.arguments))]
    facts += [plan_facts.SourceTable(match["object"] or match["table"]) for match in printed]
    for each in operators:
        facts += [*_of_relation(each), *_unplaced(each)]
    return [*facts, *_catalog_tables(operators, has_sources=bool(printed))]


def _catalog_tables(operators: Sequence[PrintedOperator], *, has_sources: bool) -> Iterator[plan_facts.CatalogTable]:
    """Yield the tables of JDBC catalogs; the aliases of a logical plan have the names of its tables."""
    scans = [match["name"] for match in map(_JDBC_SCAN.match, (each.name for each in operators)) if match]
    aliases = [each.arguments for each in operators_named("SubqueryAlias", operators)] if has_sources else []
    return (plan_facts.CatalogTable(name) for name in (*scans, *aliases) if name.count(".") > 1)


def _relation(operator: PrintedOperator) -> str:
    """Return what a scan prints of its relation: its name, and its fields without the output."""
    fields = operator.printed.partition("\n")[2] or operator.printed.partition("] ")[2]
    name = operator.name.removeprefix("BatchScan").removeprefix("Scan").partition("[")[0].strip()
    return f"{name}\n{_OUTPUT.sub('', fields)}"


def _of_relation(operator: PrintedOperator) -> list[plan_facts.PlanFact]:
    """Return the columns of a JDBC table that a scan or a logical relation lists, or the join that it reads."""
    match = _JDBC_RELATION.search(f"{operator.name} {operator.arguments}")
    if match is None:
        return []
    if " join " in match["relation"].lower():
        return [plan_facts.JoinedTables(match["relation"][:_LONGEST])]
    listed = operator.output or operator.arguments.partition("], [")[2].partition("]")[0]
    return plan_facts.table_columns(f"{JDBC_TABLE}{match['relation']}", plan_facts.attribute_names(listed))


def _unplaced(operator: PrintedOperator) -> Iterator[plan_facts.PlanFact]:
    """Yield the tables of another system that an operator reads or writes and whose server it does not print."""
    found = _identified(operator)
    if found is None or found.connector.kind == "path" or "schema_table" in found.fields:  # a catalog's table
        return
    name, known = found.connector.name, {"relation": "", "table": "", **found.fields}
    query = known.get("query") or known["relation"]
    if found.query is not None and len(query) <= _LONGEST:
        yield from (plan_facts.UnplacedTable(name, table, query) for table in tables_in_text(found.query.text))
    elif found.dataset is not None and "://" not in found.dataset.name:
        yield plan_facts.UnplacedTable(name, known.get("catalog_table") or known["table"])


def scan_unprinted(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the tables whose filters the plan may omit."""
    scans = (_identified(each) for each in operators if each.name.startswith("BatchScan"))
    found = (each for each in scans if each is not None and "filters" in each.connector.unprinted)
    return [
        plan_facts.UnprintedFilters(each.connector.name, each.dataset.name)
        for each in found
        if each.dataset is not None
    ]


def _identified(operator: PrintedOperator) -> Identified | None:
    """Return the relation, or the target of a save or a V2 write; None for other operators."""
    name, arguments = operator.name.partition(" ")[0], operator.arguments
    if operator.name.startswith("Scan JDBCRelation("):  # its SQL can have several lines
        return identify(operator.printed.removeprefix("Scan "))
    if name in {"Scan", "BatchScan"}:
        return identify(_relation(operator)) if "JDBC" in operator.name or _is_other(operator) else None
    if name in _LOGICAL:
        return _identified_relation(operator)
    if find_command(name).target is Target.OPTIONS:
        return _identified_save(arguments)
    if arguments.startswith("Relation "):  # INSERT INTO a view or table of a data source
        return identify(arguments.partition("] ")[2])
    is_write = find_command(name).target is Target.NODE_NAME
    return identify(f"{name} {operator.name.partition(' ')[2] or arguments}") if is_write else None


def _is_other(operator: PrintedOperator) -> bool:
    """Return whether a scan is of neither a named table nor files."""
    printed = operator.printed
    return not (_NAMED.match(operator.name) or _LOCATED.search(printed) or any_pattern("text.scans").search(printed))


def _identified_relation(operator: PrintedOperator) -> Identified | None:
    """Return what a relation of a logical plan is, by its text and its class: `<Table>@hash, [id#1L], …`."""
    printed = operator.arguments.partition(", [")[0]
    return identify(printed, provider=printed.partition("@")[0])


def _identified_save(arguments: str) -> Identified | None:
    """Return the target of a save, by its provider and the options in the first line of its arguments."""
    options = {key.lower(): value for key, value in _OPTION.findall(arguments.partition("\n")[0])}
    return identify("", options, provider=arguments.partition("@")[0])


def _may_be_unnamed(operator: PrintedOperator) -> bool:
    command, _, table = operator.name.partition(" ")
    if find_command(command).target is Target.NODE_NAME:
        return _is_unnamed_write(table, operator.arguments)
    if operator.name in _LOGICAL:
        known = _identified_relation(operator)
        printed = operator.arguments.partition(", [")[0]
        return _JAVA_OBJECT.match(printed) is not None if known is None else _is_unnamed(known)
    if not operator.name.startswith(("Scan ", "BatchScan")) or not _is_other(operator):
        return False
    found = identify(_relation(operator))
    return found is None or _is_unnamed(found)


def _is_unnamed_write(table: str, arguments: str) -> bool:
    """Return whether a V2 write prints a connector whose table nothing names, or no table at all."""
    found = identify(table or arguments)
    return (not table and DEFAULT_WRITE in arguments) or (found is not None and _is_unnamed(found))


def _is_unnamed(found: Identified) -> bool:
    return found.dataset is None and found.query is None


class ScannedText(Protocol):
    """A plan text with its operators; `PlanText` is one."""

    @property
    def text(self) -> str:
        """The text."""

    @property
    def operators(self) -> tuple[PrintedOperator, ...]:
        """The operators of the physical plan, in the order of the text."""


_BLOCK = re.compile(
    r"\n\(\d+\) (?:Scan ExistingRDD[^\n]*\n(?:Output \[\d+\]: \[(?P<output>[^\n]*)\]\n)?"
    r"(?:Arguments: [^\n]*?\], \w+\[(?P<rdd>\d+)\] at )?"
    r"|Scan[^\n]*\nOutput \[1\]: \[(?P<object>obj#\d+)\]\nArguments: [^\n]* (?!Parallel)\w+\[(?P<objects>\d+)\] at "
    r"|LogicalRDD\nArguments: \[(?P<listed>[^\n]*?)\], (?:true|false)\n)"
)
_LINE = re.compile(
    r"(?:^|[ )])(?:Scan ExistingRDD|LogicalRDD|Scan(?=[^\n\[]*\[obj#))"
    r"[^\n\[]*\[(?P<output>[^\n]*?)(?:\][^,]|\]$|\], (?:true|false)$)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class RowScan:
    """A scan of an RDD's rows, or of the objects of an RDD (`ds.rdd.map(…).toDS()`), which are one attribute.

    Attributes:
        ids: The ids of its attributes, in order.
        rdd: The RDD's number, which formatted text prints; None in other texts.
        names: The names of its attributes, as printed.
    """

    ids: tuple[int, ...]
    rdd: int | None = None
    names: str = ""

    @property
    def is_of_objects(self) -> bool:
        """Whether its attribute holds objects."""
        return self.names == "obj"


def find_row_scans(parts: Sections) -> tuple[RowScan, ...]:
    """Return the scans of a text's physical plan.

    Args:
        parts: The parts of the text. Formatted text has `Arguments: [k#1], MapPartitionsRDD[12] at checkpoint at …`
            (`RDDScanExec`, 3.0 to 4.3), others `Scan ExistingRDD[k#1]`; below commands both have `LogicalRDD`. Scans
            of objects are `Arguments: obj#1: scala.Tuple2, MapPartitionsRDD[12] at map at …` (`ExternalRDDScanExec`,
            3.0 to 4.3), or `Scan[obj#1]`.
    """
    if not any(word in parts.physical for word in ("ExistingRDD", "LogicalRDD", "[obj#")):
        return ()
    is_formatted = parts.mode is Mode.FORMATTED
    found = []
    for match in (_BLOCK if is_formatted else _LINE).finditer(parts.physical):
        listed = match["output"] or (is_formatted and (match["object"] or match["listed"])) or ""
        number = is_formatted and (match["rdd"] or match["objects"])
        rdd = int(number) if number else None
        found.append(RowScan(tuple(map(int, LISTED_ID.findall(listed))), rdd, LISTED_ID.sub("", listed)))
    return tuple(found)


_OBJECT = re.compile(r"(?P<class>[\w$.]*Catalog)@(?P<hash>[0-9a-f]{1,8}), (?P<table>[^\s,\[(]+)")
_RELATION = re.compile(rf"(?:@[0-9a-f]+[^\[\n]*|[\w.`-]+), \[.*\], {_OBJECT.pattern}", re.DOTALL)
_PROCEDURE = re.compile(r"(?P<package>[\w$.]+?\.spark)\.[\w$.]*Procedure@[0-9a-f]+, \[(?P<table>[^\s,\]]+)")
_IF_NOT_EXISTS = re.compile(r", true$")


def scan_catalogs(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the tables that commands name next to an object of their catalog."""
    aliases = chain((each.arguments if each.name == "SubqueryAlias" else "" for each in operators[1:]), ("",))
    return [fact for each in zip(operators, aliases, strict=False) if (fact := _table(*each)) is not None]


_WRITTEN_TABLE = re.compile(r"^\w+ RelationV2\[[^\n\]]*\] (?P<name>[^\s,]+)", re.MULTILINE)


def scan_written_tables(text: str) -> list[plan_facts.PlanFact]:
    """Return the tables that logical plans write: `AppendData RelationV2[id#1L] cat.ns.t ns.t, false`."""
    return [
        plan_facts.CatalogTable(name) for name in dict.fromkeys(_WRITTEN_TABLE.findall(text)) if name.count(".") > 1
    ]


def _table(operator: PrintedOperator, alias: str) -> plan_facts.CatalogObject | None:
    """Return the table of an operator.

    Args:
        alias: The alias above a relation, `cat.ns.t`; empty for none.
    """
    if operator.name == "DataSourceV2Relation":
        return _relation_table(operator.arguments, alias)
    command = find_command(operator.name)
    if command.role is Role.CALL:
        called = _PROCEDURE.search(operator.arguments)
        return plan_facts.CatalogObject(called["package"], "", called["table"]) if called else None
    found = _OBJECT.match(operator.arguments)
    if found is None:
        return None
    first = operator.arguments.partition("\n")[0]
    creates = command.mode == "create" and command.schema_effect != "replaced" and not _IF_NOT_EXISTS.search(first)
    return plan_facts.CatalogObject(found["class"], found["hash"], found["table"], creates, command.mode == "drop")


def _relation_table(printed: str, alias: str) -> plan_facts.CatalogObject | None:
    """Return the table of `<Table>@hash, [id#1L], <Catalog>@hash, ns.t, []` (4.1+), or of a relation with a name."""
    read = _RELATION.match(printed) or _RELATION.match(printed, max(0, printed.find("@")))
    if read is None:
        return None
    names = (printed.partition(", [")[0].replace("`", ""), alias.strip())
    catalog, is_printed, _ = max(each.rpartition(f".{read['table']}") for each in names)
    return plan_facts.CatalogObject(read["class"], read["hash"], read["table"], catalog=catalog if is_printed else "")


_COMMAND = re.compile(r"\w+Command\b")
_NAME = re.compile(r"`(?P<name>(?:[^`\n]|``)+)`(?:,|\n|$)")
_FILLED = re.compile(r"(?:`(?:[^`\n]|``)+`\.)+`(?:[^`\n]|``)+`,")
_QUALIFIED = re.compile(r"`(?:[^`\n]|``)+`\.`")
_PARSED = re.compile(r"(?:\[(?P<listed>[^\[\],\n]+)\]|`(?P<quoted>[^`\n]+)`)(?:,|$)", re.MULTILINE)
_NAMESPACE = re.compile(
    r"[\w.$]+@\w+(?:, (?P<catalog>[^,\s\[\]]+))?(?:, (?:\w*[\[(])?(?P<space>[^\[\]()\n]+?)[\])]?)?(?:\n|$)"
)


def scan_session(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the names that the user wrote without a database, and the databases that the session changes to.

    `CreateTableLikeCommand` prints such names in all versions, `saveAsTable` in some.
    """
    commands = argument_matches(_NAME, (each for each in operators if _COMMAND.match(each.name)))
    facts: list[plan_facts.PlanFact] = [plan_facts.SessionTable(found["name"].replace("``", "`")) for found in commands]
    facts += filter(None, map(_filled_table, operators))
    facts += filter(None, map(_temporary_view, operators))
    return [*facts, *_parsed_relations(operators), *_database_switches(operators)]


def _parsed_relations(operators: Sequence[PrintedOperator]) -> Iterator[plan_facts.ParsedRelation]:
    if not any(argument_matches(_QUALIFIED, operators)):  # a view's database is its query's
        relations = argument_matches(_PARSED, (each for each in operators if "UnresolvedRelation" in each.name))
        yield from (plan_facts.ParsedRelation(found["listed"] or found["quoted"]) for found in relations)


def _database_switches(operators: Sequence[PrintedOperator]) -> Iterator[plan_facts.DatabaseSwitch]:
    for found in argument_matches(_NAMESPACE, _of_commands(Role.NAMESPACE, operators)):
        yield plan_facts.DatabaseSwitch(found["catalog"] or "", found["space"] or "")
    databases = (each.arguments.partition("\n")[0] for each in _of_commands(Role.DATABASE, operators))
    yield from (plan_facts.DatabaseSwitch("", database) for database in databases if database)


def _filled_table(operator: PrintedOperator) -> plan_facts.FilledTable | None:
    """Return the table, with its database, that a command moves files into."""
    found = _FILLED.match(operator.arguments) if Query.FILES in find_command(operator.name).query else None
    return plan_facts.FilledTable(found[0].rstrip(",")) if found else None


def _temporary_view(operator: PrintedOperator) -> plan_facts.TemporaryView | None:
    """Return the temporary view that a command creates or drops; a table of that name is dropped with a database."""
    found = _NAME.match(operator.arguments)
    is_dropped = find_command(operator.name.partition(" ")[0]).mode == "drop"
    if found is None or not (is_dropped or ", LocalTempView" in operator.arguments):
        return None
    return plan_facts.TemporaryView(found["name"].replace("``", "`"), is_dropped)


def _of_commands(role: Role, operators: Sequence[PrintedOperator]) -> list[PrintedOperator]:
    return [each for each in operators if each.name in commands_where(role=role)]


_HIVE_TABLE = re.compile(
    r"HiveTableRelation \[(?P<table>`[^,]+`), [\w.$]+, Data Cols: \[(?P<data>[^]]*)\], "
    r"Partition Cols: \[(?P<parts>[^]]*)\]"
)


def scan_hive_tables(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the columns of Hive tables whose relations list all of them (3.1 to 4.3)."""
    facts: list[plan_facts.PlanFact] = []
    for match in matches(_HIVE_TABLE, operators):
        listed = ", ".join(filter(None, (match["data"], match["parts"])))
        names = plan_facts.attribute_names(listed)
        if len(names) == listed.count("#"):
            facts += plan_facts.table_columns(table_name(match["table"]), names, is_complete=True)
    return facts


_WIDE = re.compile(
    r"(?:SubqueryAlias (?P<alias>[\w.`]+)\n[ :]*\+- )?(?<![\w'])Relation ?(?P<name>[\w.`]*)"
    r"\[(?P<listed>[^\[\]\n]+?), ?\.\.\. (?P<missing>\d+) more fields\] "
)
_WIDE_SCAN = re.compile(
    r"FileScan \w+ (?P<table>[\w.`]+)\[(?P<listed>[^\[\]\n]*?)(?:, ?\.\.\. (?P<missing>\d+) more fields)?\] Batched: "
    r"[^\n]*, ReadSchema: (?P<schema>struct<[^\n]*>)(?=\n|$)"
)
_NAMED_IDS = re.compile(rf"(?:(?<=[(\[,])|(?<=, ))([A-Za-z_][\w.$-]*){CAPTURED_ID}(?!\w)")
_WRITTEN = re.compile(
    r"CatalogTable\(\nDatabase: (?P<database>[\w-]+)\nTable: (?P<table>[\w-]+)\n(?:[A-Z][^\n]*\n)*?"
    r"Schema: root\n(?P<schema>(?:[ |]*-- [^\n]*\n){25,})"
)
"""The table of a write with its schema (2.4 to 3.3)."""
_WIDE_VIEW = re.compile(
    r"View \([^\n]*, \[(?P<listed>[^\[\]\n]+)\]\)\n[ :]*\+- Project \[(?P<passed>[^\[\]\n]+?), \.\.\. \d+ more fields\]"
    r"\n(?:[ :]*\+- (?:Filter|SubqueryAlias) [^\n]*\n)*[ :]*\+- Relation ?[\w.`]*\[(?P<own>[^\[\]\n]+?), ?\.\.\. "
)
_CHOOSING = re.compile(
    r"^[ :+-]*(?:\*\(\d+\) )?(?!Filter |InMemoryRelation |Relation|\w+Command |FileScan |ColumnarToRow)\w", re.MULTILINE
)
"""An operator of an optimized plan that may output other columns than its input."""


def scan_truncated_lists(text: str) -> list[plan_facts.PlanFact]:
    """Return the number of items that the longest truncated list hides."""
    numbers = (part.rpartition("... ")[2] for part in text.split(f"{plan_facts.TRUNCATED}]")[:-1])
    hidden = max((int(each) for each in numbers if each.isdecimal()), default=0)
    return [plan_facts.TruncatedLists(hidden)] if hidden else []


def scan_wide_relations(text: str) -> list[plan_facts.PlanFact]:
    """Return the tables of which relations list the first columns only, with the columns that the text shows.

    The ids of a relation's attributes follow each other (`AttributeReference`, 2.4 to 4.3): an attribute's id is its
    position. A scan that outputs as many columns as the relation lists those of the files in `ReadSchema`; partition
    columns follow. A write up to 3.3 prints the schema of its table.
    """
    named = {int(expr_id): name for name, expr_id in _NAMED_IDS.findall(text)}
    found = (_wide_relation(match, text, named) for match in _WIDE.finditer(text))
    written = (
        plan_facts.WideRelation(
            table_name(f"{match['database']}.{match['table']}"), tuple(schema_names(match["schema"]))
        )
        for match in _WRITTEN.finditer(text)
    )
    return list(dict.fromkeys(filter(None, (*found, *written))))


def _wide_relation(match: re.Match[str], text: str, named: Mapping[int, str]) -> plan_facts.PlanFact | None:
    table = table_name(match["name"] or match["alias"] or "")
    printed = [(name, int(expr_id)) for name, expr_id in _NAMED_IDS.findall(f",{match['listed']}")]
    first, count = printed[0][1] if printed else 0, match["listed"].count(",") + 1
    if [expr_id for _, expr_id in printed] != list(range(first, first + count)) or table == table_name(""):
        return None
    columns = [named.get(expr_id, "") for expr_id in range(first, first + count + int(match["missing"]))]
    return plan_facts.WideRelation(table, tuple(_completed(match["listed"], columns, text, table)))


def _completed(listed: str, columns: list[str], text: str, table: str) -> list[str]:
    """Return the columns of a relation with those that scans read and views list."""
    count = listed.count(",") + 1
    for read in _read_whole(text, table, len(columns)):
        if read[:count] == columns[:count]:
            columns[: len(read)] = read
    for view in _WIDE_VIEW.finditer(text):
        if view["own"] == listed and view["passed"].replace(" ", "") == view["own"]:
            columns = _passed_on(view["listed"], text, columns)
    return columns


def _passed_on(listed: str, text: str, columns: list[str]) -> list[str]:
    """Return the columns of a relation by those of a view, whose list is complete (2.4 and 3.0), if both are the same.

    The optimizer removes the view's projection only if it outputs all columns in their order.
    """
    optimized = text.partition("== Optimized Logical Plan ==\n")[2].partition("\n\n")[0]
    names = [name for name, _ in _NAMED_IDS.findall(f",{listed}")]
    same = len(names) == len(columns) and all(known in ("", name) for known, name in zip(columns, names, strict=True))
    return names if same and optimized and not _CHOOSING.search(optimized) else columns


def _read_whole(text: str, table: str, size: int) -> Iterator[list[str]]:
    """Yield the columns that scans of all columns of a table read from its files."""
    for scan in _WIDE_SCAN.finditer(text):
        if table_name(scan["table"]) == table and scan["listed"].count(",") + 1 + int(scan["missing"] or 0) == size:
            yield [name for name, _ in struct_fields(scan["schema"])]


_DEFINING = ("ViewCommand", "ViewAsCommand")
_VIEW_NAME = re.compile(r"`[^`]+`\.`[^`]+`(?=, )")
_VIEW_PARTS = 2
_STARRED = ["Project", "UnresolvedRelation"]
_BESIDE_STAR = frozenset({"Filter", "SubqueryAlias"})


def scan_stars(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the stored views that a plan defines, or reads with truncated projections.

    As `WideRelation` with one column: `STAR` for a view that is `SELECT *` of one relation, as the query that was not
    analyzed yet prints it (2.4 to 3.1), `OTHER` for another one, empty for one that is read.
    """
    if commands := [each for each in operators if each.name.endswith(_DEFINING)]:
        return _wide_views(commands, plan_facts.STAR if _is_star(operators, commands) else plan_facts.OTHER)
    cut = any(each.name == "Project" and hidden_items(each.arguments) for each in operators)
    return _wide_views([each for each in operators if each.name == "View"], "") if cut else []


def _wide_views(operators: Sequence[PrintedOperator], word: str) -> list[plan_facts.PlanFact]:
    return [plan_facts.WideRelation(table_name(found[0]), (word,)) for found in argument_matches(_VIEW_NAME, operators)]


def _is_star(operators: Sequence[PrintedOperator], commands: Sequence[PrintedOperator]) -> bool:
    """Return whether commands define a view by `SELECT *` of one relation, with the names of its columns.

    The view of a command with `IF NOT EXISTS` may be another one: `…, true, false, PersistedView`.
    """
    parts = [each.arguments.split(", ") for each in commands]
    if any(each[1].startswith("[(") or each[-3] == "true" for each in parts if len(each) > _VIEW_PARTS):
        return False
    query = [each for each in operators if not each.name.endswith(_DEFINING) and each.name not in _BESIDE_STAR]
    return sorted(each.name for each in query) == _STARRED and any(each.arguments == "[*]" for each in query)


VIEW_WORDS = (
    *("TempView", "create_changelog_view", "CreateChangelogViewProcedure"),
    *("View (`", ") View\n", "UnresolvedRelation"),
)
"""Each text that creates or names a temporary view contains one of these words, which are the fact."""
QUERY_WORDS = (" more fields]\n+- ", " more fields]\n   ", " more fields]\n:")
"""Each analyzed plan with a truncated projection or aggregate contains one of these: an input follows."""

_NOT_EMPTY = "(length(trim(value#{}, None)) > 0)"


def scan_samples(operators: Sequence[PrintedOperator]) -> list[plan_facts.PlanFact]:
    """Return the files whose first line with text a plan reads; none for the files of several folders.

    Source: `CSVUtils.filterCommentAndEmpty(…).take(1)`, 2.3 to 4.3.
    """
    if [each.name.partition(" ")[0] for each in operators] != ["Scan", "Filter", "CollectLimit"]:
        return []
    scan, where = operators[:2]
    location, number = read_location(scan.location), scan.output.removeprefix("value#")
    names = set(map(path_name, location.paths))
    is_one = len(names) == 1 or common_folder(names) is not None
    is_sample = number.isdecimal() and location.file_index == "InMemoryFileIndex" and is_one
    if not is_sample or _NOT_EMPTY.format(number) not in where.printed:
        return []
    return [plan_facts.SampledFile(location.first, int(number), len(location.paths) > 1 or location.missing != 0)]


def scan_facts(plan: ScannedText) -> tuple[plan_facts.PlanFact, ...]:
    """Return the distinct facts of a plan text.

    Args:
        plan: The plan text. For a text without facts, this is a few searches for words.
    """
    return distinct(facts_by_kind(plan, fact_kinds()))


def facts_by_kind(plan: ScannedText, kinds: Collection[str]) -> dict[str, list[plan_facts.PlanFact]]:
    """Return facts of certain kinds.

    Texts with the same fingerprint have facts of the same kinds: only numbers and hash codes differ.

    Args:
        kinds: Some of `fact_kinds`.

    Returns:
        Kind to facts, for the kinds with facts.
    """
    text, scanners = plan.text, _scanners()
    present = [kind for kind in kinds if scanners[kind].may_find(text)]
    if not present:
        return {}
    found: dict[str, list[plan_facts.PlanFact]] = {}
    for kind in present:
        if facts := scanners[kind].scan(text if scanners[kind].takes_text else plan.operators):
            found[kind] = facts
            if scanners[kind].is_exclusive:
                break
    return found


def distinct(found: Mapping[str, Collection[plan_facts.PlanFact]]) -> tuple[plan_facts.PlanFact, ...]:
    """Return the facts of all kinds without repetitions."""
    return tuple(dict.fromkeys(fact for facts in found.values() for fact in facts))


@cache
def _scanners() -> Mapping[str, FactScanner]:
    """Return the scanners by kind, those with exclusive facts first."""
    found = {f"{each.name}.{at}": scanner for each in formats() for at, scanner in enumerate(each.plan_facts)}
    switches = sorted(commands_where(role=Role.NAMESPACE) | commands_where(role=Role.DATABASE))
    found["session"] = FactScanner((*switches, "\nArguments: `", "Command `", "UnresolvedRelation"), scan_session)
    found["catalog"] = FactScanner(("Catalog@", "Procedure@"), scan_catalogs)
    found["written"] = FactScanner((" RelationV2[",), scan_written_tables, takes_text=True)
    found["hive"] = FactScanner(("HiveTableRelation [",), scan_hive_tables)
    found["wide"] = FactScanner((f"{plan_facts.TRUNCATED}] ",), scan_wide_relations, takes_text=True)
    found["truncated"] = FactScanner((plan_facts.TRUNCATED,), scan_truncated_lists, takes_text=True)
    found["stars"] = FactScanner((*_DEFINING, "View (", ") View\n"), scan_stars)
    found["views"] = FactScanner(VIEW_WORDS, lambda _: [plan_facts.NamesTemporaryView()])
    found["queries"] = FactScanner(
        QUERY_WORDS, lambda text: [plan_facts.TruncatedQuery()] * (ANALYZED in text), takes_text=True
    )
    found["sample"] = FactScanner(("Scan text",), scan_samples)
    found["relation"] = FactScanner(("BatchScan", "@", "Relation"), scan_relations)
    found["unprinted"] = FactScanner(("BatchScan",), scan_unprinted, absent=ANALYZED)
    return dict(sorted(found.items(), key=lambda item: not item[1].is_exclusive))


def fact_kinds() -> tuple[str, ...]:
    """Return the kinds of facts."""
    return tuple(_scanners())
