"""The questions that agents ask, each over the current version of a store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone

from eventlog_lineage.cli.options import read_time
from eventlog_lineage.errors import QueryError
from eventlog_lineage.store.queries import lookups
from eventlog_lineage.store.queries.dependants import find_changed, impact
from eventlog_lineage.store.queries.find_names import find
from eventlog_lineage.store.queries.open_store import Answer, OpenStore, open_store
from eventlog_lineage.store.queries.recent_changes import changes
from eventlog_lineage.store.queries.unused_datasets import CAVEAT, unused

from .pages import Page, page


def _now() -> datetime:
    return datetime.now(timezone.utc)


@dataclass(frozen=True, slots=True)
class StoreTools:
    """Read-only questions about one store; each answer is a page.

    Attributes:
        store_dir: The store's folder. Every question opens its current version, so a harvest in between is seen.
        now: Returns the time, for the harvest's age and for spans such as `7d`.
        seconds: The longest that a query of `sql` may run.
    """

    store_dir: str
    now: Callable[[], datetime] = _now
    seconds: float = field(default=30.0)

    def find(self, word: str, offset: int = 0) -> Page:
        """Find datasets, columns, jobs and expressions whose name or text has a word in it, in any case."""
        return self._page(lambda store: find(store, word), offset)

    def columns(self, dataset: str, offset: int = 0) -> Page:
        """List a dataset's columns: types, and the expressions, sources and jobs that make each."""
        return self._page(lambda store: lookups.columns(store, dataset), offset)

    def upstream(self, name: str, depth: int | None = None, direct_only: bool = False, offset: int = 0) -> Page:
        """List the edges on all paths to a dataset or `dataset.column`: where it comes from, the nearest first."""
        return self._page(lambda s: lookups.trace(s, name, up=True, depth=depth, direct_only=direct_only), offset)

    def downstream(self, name: str, depth: int | None = None, direct_only: bool = False, offset: int = 0) -> Page:
        """List the edges on all paths from a dataset or `dataset.column`, and the jobs that read at their ends."""
        return self._page(lambda s: lookups.trace(s, name, up=False, depth=depth, direct_only=direct_only), offset)

    def impact(self, names: list[str], offset: int = 0) -> Page:
        """List all that depends on datasets or columns, through all hops, readers included: what a change affects."""

        def asked(store: OpenStore) -> Answer:
            return impact(store, [changed for name in names for changed in find_changed(store, name)])

        return self._page(asked, offset)

    def changes(self, since: str, offset: int = 0) -> Page:
        """List changes of schemas and of lineage since a time (`7d`, `2026-11-20`), and what depends on them."""
        moment = read_time(since, self.now())
        return self._page(lambda store: changes(store, moment), offset)

    def unused(self, since: str, offset: int = 0) -> Page:
        """List datasets and columns that were written and not read since a time (`90d`, `2026-09-01`)."""
        moment = read_time(since, self.now())
        return self._page(lambda store: unused(store, moment), offset, note=CAVEAT)

    def gaps(self, every: bool = False, offset: int = 0) -> Page:
        """List what could not be resolved, by reason with an example and what to do, or every single gap."""
        return self._page(lambda store: lookups.gaps(store, every=every), offset)

    def sql(self, query: str, offset: int = 0) -> Page:
        """Run one DuckDB SELECT over the store's tables, views and macros; it can read nothing else."""
        return self._page(lambda store: _within(self.seconds, store, query), offset)

    def _page(self, ask: Callable[[OpenStore], Answer], offset: int, note: str = "") -> Page:
        with open_store(self.store_dir) as store:
            about: dict[str, object] = {"harvest": _harvest(store, self.now())}
            if note:
                about["note"] = note
            return page(list(ask(store).records()), max(offset, 0), about)


def _harvest(store: OpenStore, now: datetime) -> dict[str, object]:
    """Return when the store was last harvested, how long ago that is, and how many gaps it has.

    Args:
        store: The store.
        now: The time.
    """
    (finished,), *_ = store.ask("SELECT max(finished_at) FROM harvests").rows
    (gaps,), *_ = store.ask("SELECT count(*) FROM gaps").rows
    if not isinstance(finished, datetime):
        return {"finished_at": None, "age_hours": None, "gaps": gaps}
    age = now.astimezone(timezone.utc).replace(tzinfo=None) - finished
    return {"finished_at": finished.isoformat(), "age_hours": round(age.total_seconds() / 3600, 1), "gaps": gaps}


def _within(seconds: float, store: OpenStore, query: str) -> Answer:
    """Run a query that an agent wrote, and stop it after a time.

    Args:
        seconds: The time limit.
        store: The store.
        query: The query.

    Raises:
        QueryError: It fails, or takes longer.
    """
    with _interrupted(seconds, store) as late:
        try:
            return store.ask_freely(query)
        except QueryError:
            if late.is_set():
                raise QueryError(f"the query takes longer than {seconds:g} s; add a filter or a LIMIT") from None
            raise


@contextmanager
def _interrupted(seconds: float, store: OpenStore) -> Iterator[threading.Event]:
    late = threading.Event()

    def interrupt() -> None:
        late.set()
        store.free.interrupt()

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
