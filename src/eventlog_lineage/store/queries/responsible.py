"""Who is responsible for a column, a dataset or a job, as files declare it."""

from __future__ import annotations

from collections.abc import Iterable

from eventlog_lineage.store.queries.open_store import OpenStore

Responsible = tuple[str | None, str | None]
"""Owner and contact; None where nothing is declared."""


class Owners:
    """The declared owners of a store; read once for a question."""

    def __init__(self, store: OpenStore) -> None:
        query = (
            "SELECT dataset, lower(column_name), job_name, nullif(owner, ''), nullif(contact, '') FROM declarations "
            "WHERE owner <> '' OR contact <> ''"
        )
        self._found = {tuple(key): (owner, contact) for *key, owner, contact in store.ask(query).rows}

    def of(self, dataset: object, column: object = None, jobs: Iterable[object] = ()) -> Responsible:
        """Return the owner and contact of a column, else of its dataset, else of the first job that has one.

        Args:
            dataset: The dataset; None for a job alone.
            column: The column; None for the dataset as a whole.
        """
        key = str(column).lower() if column else None
        places = [(dataset, key, None), (dataset, None, None), *((None, None, job) for job in jobs)]
        found = [self._found[place] for place in places if place in self._found]
        owner = next((owner for owner, _ in found if owner), None)
        contact = next((contact for _, contact in found if contact), None)
        return owner, contact  # type: ignore[return-value]
