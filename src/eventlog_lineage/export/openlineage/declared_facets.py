"""Facets of what files declare: ownership, documentation, tags."""

from __future__ import annotations

from collections import defaultdict

from eventlog_lineage.declarations.things import Declarations
from eventlog_lineage.export.openlineage.event_names import Json, facet
from eventlog_lineage.store.fold.declared_rows import given_declarations
from eventlog_lineage.store.queries.open_store import OpenStore


class DeclaredFacets:
    """The facets of datasets and jobs; none of a store without declarations.

    Tags by names of personal data, which nobody declared, are left out: a catalog would take a guess for a fact.
    """

    def __init__(self, store: OpenStore) -> None:
        given = Declarations.of(given_declarations(store.connection))
        tags = {tag for thing in given.things for tag in thing.tags}
        tags |= {name for rule in given.rules for name in (rule.tag, rule.masked) if name}
        self._owners: dict[tuple[object, object], tuple[str, str]] = {}
        self._fields: dict[str, dict[str, str]] = defaultdict(dict)
        self._tags: dict[str, list[Json]] = defaultdict(list)
        if given == Declarations():
            return
        query = "SELECT dataset, column_name, job_name, owner, description FROM declarations"
        for dataset, column, job, owner, description in store.ask(query).rows:
            if column is None:
                self._owners[dataset, job] = (str(owner), str(description))
            elif description:
                self._fields[str(dataset)][str(column)] = str(description)
        found = store.ask("SELECT DISTINCT dataset, column_name, tag, origin FROM tags ORDER BY ALL").rows
        for dataset, column, tag, origin in found:
            if tag in tags:
                field = {"field": column} if column else {}
                self._tags[str(dataset)].append({"key": tag, "value": "true", "source": str(origin).upper(), **field})

    def of_dataset(self, dataset: str) -> Json:
        """Return the facets of a dataset by their keys."""
        facets = self._described((dataset, None), "Dataset")
        if tags := self._tags.get(dataset):
            facets["tags"] = facet("tags", tags=tags)
        return facets

    def of_job(self, job: str) -> Json:
        """Return the facets of a job by their keys."""
        return self._described((None, job), "Job")

    def describe(self, dataset: str, schema: Json | None) -> Json | None:
        """Return a schema facet with the declared descriptions of its columns."""
        described = self._fields.get(dataset)
        if not schema or not described:
            return schema
        texts = {name.lower(): text for name, text in described.items()}
        fields = [
            {**each, "description": texts[each["name"].lower()]} if each["name"].lower() in texts else each
            for each in schema["fields"]
        ]
        return {**schema, "fields": fields}

    def _described(self, key: tuple[object, object], kind: str) -> Json:
        owner, description = self._owners.get(key, ("", ""))
        facets: Json = {}
        if owner:
            facets["ownership"] = facet(f"ownership{kind}", owners=[{"name": owner}])
        if description:
            facets["documentation"] = facet(f"documentation{kind}", description=description)
        return facets
