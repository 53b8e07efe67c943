"""The one place where operators are found: a rule is registered by the operators' names.

Every module of `rules` is imported, and its rules register themselves: a new operator is one new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from .flow import Flow
from .operation import Operation

Rule = Callable[[Operation], Flow]

_RULES: dict[str, Rule] = {}


def operator(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for the canonical operators of these names.

    Raises:
        ValueError: An operator has a rule already, or the rule has no docstring.
    """

    def register(rule: Rule) -> Rule:
        if not rule.__doc__:
            raise ValueError(f"the rule for {names} has no docstring")
        for name in names:
            if name in _RULES:
                raise ValueError(f"{name} has two rules: {_RULES[name].__module__} and {rule.__module__}")
            _RULES[name] = rule
        return rule

    return register


def rules() -> Mapping[str, Rule]:
    """Canonical operator to rule, for every operator that is understood."""
    if not _RULES:
        package = importlib.import_module(f"{__package__}.rules")
        for module in sorted(info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")):
            importlib.import_module(module)
    return _RULES
