"""Find tables that commands of the session catalog print without a database, and changes of the session's database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from eventlog_lineage.extensions import commands_where
from eventlog_lineage.plan.printed_operators import PrintedOperator

from .plan_facts import DatabaseSwitch, PlanFact, SessionTable

_COMMAND = re.compile(r"\w+Command\b")
_NAME = re.compile(r"`(?P<name>(?:[^`\n]|``)+)`(?:,|\n|$)")
_WORDS = ("\nArguments: `", "Command `")
_NAMESPACE = re.compile(
    r"[\w.$]+@\w+(?:, (?P<catalog>[^,\s\[\]]+))?(?:, (?:\w*[\[(])?(?P<space>[^\[\]()\n]+?)[\])]?)?(?:\n|$)"
)


@cache
def session_words() -> tuple[str, ...]:
    """Return words: each text with such facts contains one of them."""
    return (*sorted(commands_where("sets_namespace") | commands_where("sets_database")), *_WORDS)


def scan_session(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the names that the user wrote without a database, and the databases that the session changes to.

    `CreateTableLikeCommand` prints such names in all versions, `saveAsTable` in some.

    Args:
        operators: The plan's operators.
    """
    commands = (_NAME.match(each.arguments) for each in operators if _COMMAND.match(each.name))
    facts: list[PlanFact] = [SessionTable(found["name"].replace("``", "`")) for found in commands if found]
    namespaces = (_NAMESPACE.match(each.arguments) for each in _of_commands("sets_namespace", operators))
    facts += [DatabaseSwitch(found["catalog"] or "", found["space"] or "") for found in namespaces if found]
    databases = (each.arguments.partition("\n")[0] for each in _of_commands("sets_database", operators))
    return [*facts, *(DatabaseSwitch("", database) for database in databases if database)]


def _of_commands(attribute: str, operators: Sequence[PrintedOperator]) -> list[PrintedOperator]:
    """Return the operators that are commands with an attribute of `Command` set.

    Args:
        attribute: The attribute.
        operators: The plan's operators.
    """
    return [each for each in operators if each.name in commands_where(attribute)]
