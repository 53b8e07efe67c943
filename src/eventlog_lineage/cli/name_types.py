"""Arguments that are names of datasets and columns, completed by the shell from the store."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from .configuration import VARIABLES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_MOST = 200
"""Suggestions that a shell is given; with more, the next letters decide."""


class NameType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The name of a dataset or a column.

    Args:
        columns: Whether columns are suggested once a dataset's name is written.
    """

    name = "text"

    def __init__(self, *, columns: bool) -> None:
        self._columns = columns

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it was written; the store resolves it."""
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin with the typed text; none without a store, or of a store that must be fetched."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only completions need it

        from eventlog_lineage.errors import LineageError  # noqa: PLC0415
        from eventlog_lineage.store.queries.find_names import names_with  # noqa: PLC0415
        from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
        from eventlog_lineage.store.remote.address import remote_url  # noqa: PLC0415

        found: dict[str, None] = {}
        for folder in _stores(ctx):
            with suppress(LineageError, OSError):
                if remote_url(folder):
                    continue  # a key that is pressed fetches nothing
            with suppress(LineageError, OSError), open_store(folder) as store:
                found |= dict.fromkeys(names_with(store, incomplete, columns=self._columns, most=_MOST))
        return [CompletionItem(name) for name in found]


def _stores(context: click.Context) -> list[str]:
    given = context.params.get("stores") or context.params.get("store_dir") or ()
    stores = [given] if isinstance(given, str) else list(given)
    return stores or [os.environ.get(f"{VARIABLES}STORE") or "lineage"]


NAME = NameType(columns=True)
DATASET = NameType(columns=False)
