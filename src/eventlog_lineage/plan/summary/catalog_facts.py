"""Find tables of catalogs that V2 commands print as objects: `CreateTable`, `DropTable`, `AlterTable` (3.0 to 4.3).

A CALL prints no catalog, only the object of its procedure, whose class is in the package of the catalog's (3.x).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.printed_operators import PrintedOperator

from .plan_facts import CatalogObject, PlanFact

WORDS = ("Catalog@", "Procedure@")
"""Each text with such facts contains one of these words."""

_OBJECT = re.compile(r"(?P<class>[\w$.]*Catalog)@(?P<hash>[0-9a-f]{1,8}), (?P<table>[^\s,\[(]+)")
_RELATION = re.compile(rf"(?:@[0-9a-f]+|[\w.`-]+), \[.*\], {_OBJECT.pattern}", re.DOTALL)
_PROCEDURE = re.compile(r"(?P<package>[\w$.]+?\.spark)\.[\w$.]*Procedure@[0-9a-f]+, \[(?P<table>[^\s,\]]+)")
_IF_NOT_EXISTS = re.compile(r", true$")


def scan_catalogs(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables that commands name next to an object of their catalog.

    Args:
        operators: The plan's operators.
    """
    return [fact for operator in operators if (fact := _table(operator)) is not None]


def _table(operator: PrintedOperator) -> CatalogObject | None:
    if operator.name == "DataSourceV2Relation":  # `<Table>@hash, [id#1L], <Catalog>@hash, ns.t, []` (4.1+), or a name
        text = operator.arguments
        read = _RELATION.match(text) or _RELATION.match(text, max(0, text.find("@")))
        if read is None:
            return None
        catalog, is_printed, _ = text.partition(", [")[0].replace("`", "").rpartition(f".{read['table']}")
        return CatalogObject(read["class"], read["hash"], read["table"], catalog=catalog if is_printed else "")
    command = find_command(operator.name)
    if command.is_call:
        called = _PROCEDURE.search(operator.arguments)
        return CatalogObject(called["package"], "", called["table"]) if called else None
    found = _OBJECT.match(operator.arguments)
    if found is None:
        return None
    first = operator.arguments.partition("\n")[0]
    creates = command.mode == "create" and command.schema != "replaced" and not _IF_NOT_EXISTS.search(first)
    return CatalogObject(found["class"], found["hash"], found["table"], creates, command.mode == "drop")
