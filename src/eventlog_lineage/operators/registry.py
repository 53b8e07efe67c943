"""The registry of rules, by the names of operators.

All modules of `rules` and of the table formats are imported, and their rules register themselves: a new operator is a
new rule.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, wraps

from .flow import Flow
from .operation import Operation

Rule = Callable[[Operation], Flow]
Refinement = Callable[[Operation], Flow | None]

ENTRY_POINTS = "eventlog_lineage.operators"
"""The group of entry points whose values are modules with rules."""

_PACKAGES = ("eventlog_lineage.operators.rules", "eventlog_lineage.formats")
_RULES: dict[str, Rule] = {}
_REFINEMENTS: dict[str, list[Refinement]] = {}


def operator(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for the canonical operators with these names.

    Raises:
        ValueError: An operator already has a rule.
    """

    def register(rule: Rule) -> Rule:
        for name in names:
            if name in _RULES:
                raise ValueError(f"{name} has two rules: {_RULES[name].__module__} and {rule.__module__}")
            _RULES[name] = rule
        return rule

    return register


def refines(*names: str) -> Callable[[Refinement], Refinement]:
    """Register a table format's rule for operators that other formats print, too.

    It runs before the operator's rule, and returns None for other formats.
    """

    def register(refinement: Refinement) -> Refinement:
        for name in names:
            _REFINEMENTS.setdefault(name, []).append(refinement)
        return refinement

    return register


@cache
def rules() -> Mapping[str, Rule]:
    """Return the rules by canonical operator; those of installed packages register themselves, as the own ones do."""
    for name in _PACKAGES:
        package = importlib.import_module(name)
        for module in sorted(info.name for info in pkgutil.walk_packages(package.__path__, f"{name}.")):
            importlib.import_module(module)
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        point.load()
    return {name: _refined(rule, _REFINEMENTS.get(name, [])) for name, rule in _RULES.items()}


def _refined(rule: Rule, refinements: list[Refinement]) -> Rule:
    if not refinements:
        return rule

    @wraps(rule)
    def refined(op: Operation) -> Flow:
        for each in refinements:
            flow = each(op)
            if flow is not None:
                return flow
        return rule(op)

    return refined


def folder_of(rule: Rule) -> str:
    """Return the folder of a rule's fixtures, after its module or its table format."""
    *_, package, module = rule.__module__.split(".")
    return package if ".formats." in rule.__module__ else module
