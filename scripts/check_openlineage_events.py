"""Validate exported events against the JSON schemas of an OpenLineage checkout, without a network.

    python scripts/check_openlineage_events.py CHECKOUT EVENTS.ndjson …

The tests validate events against schemas made of `openlineage-python`'s classes. These are the schemas themselves, to
be run by hand when the spec or the export changes. Each event is checked as a RunEvent, and each of its facets against
the definition that its `_schemaURL` names, in the place where it stands.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry

PLACES = {"run": "RunFacet", "job": "JobFacet"}
"""The facets that belong to a part of an event; those of datasets are `DatasetFacet`, `InputDatasetFacet` and so on."""


def registry(checkout: Path) -> tuple[Registry, dict[str, Any]]:
    """Return the schemas by their ids, for references and to look at."""
    files = [checkout / "spec" / "OpenLineage.json", *(checkout / "spec" / "facets").glob("*.json")]
    schemas = {
        schema["$id"]: schema for schema in map(json.loads, (file.read_text(encoding="utf-8") for file in files))
    }
    return Registry(list(schemas.items())), schemas


def facets(event: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return (facet that belongs there, key, facet) for all facets of an event."""
    for part, base in PLACES.items():
        for key, facet in event[part].get("facets", {}).items():
            yield base, key, facet
    for side, kind in (("inputs", "Input"), ("outputs", "Output")):
        for dataset in event.get(side, []):
            for key, facet in dataset.get("facets", {}).items():
                yield "DatasetFacet", key, facet
            for key, facet in dataset.get(f"{kind.lower()}Facets", {}).items():
                yield f"{kind}DatasetFacet", key, facet


def errors(event: Mapping[str, Any], known: Registry, schemas: Mapping[str, Any]) -> Iterator[str]:
    """Return what is wrong with an event."""
    validator = Draft202012Validator({"$ref": event["schemaURL"]}, registry=known, validate_formats=True)
    yield from (error.message for error in validator.iter_errors(event))
    for base, key, facet in facets(event):
        url, _, definition = facet["_schemaURL"].partition("#/$defs/")
        if url not in schemas:
            yield f"{key}: no schema {url}"
            continue
        if base not in json.dumps(schemas[url]["$defs"][definition]):
            yield f"{key}: {definition} is not a {base}"
        validator = Draft202012Validator({"$ref": facet["_schemaURL"]}, registry=known, validate_formats=True)
        yield from (f"{key}: {error.message}" for error in validator.iter_errors(facet))


def main() -> int:
    """Check the files of the command line; return the exit code."""
    known, schemas = registry(Path(sys.argv[1]))
    wrong = 0
    for name in sys.argv[2:]:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            for error in errors(json.loads(line), known, schemas):
                wrong += 1
                print(f"{name}:{number}: {error[:300]}")
        print(f"{name}: {len(lines)} events")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
