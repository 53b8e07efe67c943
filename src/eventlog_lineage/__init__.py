"""Table- and column-level lineage, with its history, from Spark's event logs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eventlog_lineage.library.answers import Result, Store, open_store
    from eventlog_lineage.library.harvests import declare, explain, harvest, show

__all__ = ["Result", "Store", "declare", "explain", "harvest", "open_store", "show"]

__version__ = "0.3.0"

_LIBRARY = {
    "Result": "answers",
    "Store": "answers",
    "open_store": "answers",
    "declare": "harvests",
    "explain": "harvests",
    "harvest": "harvests",
    "show": "harvests",
}


def __getattr__(name: str) -> Any:
    """Import a name of the library when it is used: commands and executors need little of the package."""
    if name not in _LIBRARY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.library.{_LIBRARY[name]}"), name)
