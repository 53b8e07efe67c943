"""OpenLineage's own classes as a judge of events: `openlineage-python` has them generated from the spec's JSON schemas.

`loaded` puts an event into them, strictly: a key that a class does not have, a value of another type, a facet in a
place that is not its own is an error. `json_schema` makes JSON schemas (2020-12) of the same classes, so that events
are validated as consumers do it, without a network.
"""

from __future__ import annotations

import importlib
import pkgutil
import typing
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from functools import cache
from typing import Any

import attr
from openlineage.client import generated
from openlineage.client.generated.base import BaseFacet, RunEvent
from openlineage.client.serde import Serde

_OPEN = {"facets", "inputFacets", "outputFacets"}
"""Keys whose values are maps from a facet's key to the facet."""


@cache
def facets() -> Mapping[str, type]:
    """`_schemaURL` to the class of the facet."""
    found: dict[str, type] = {}
    for module in pkgutil.iter_modules(generated.__path__):
        members = vars(importlib.import_module(f"{generated.__name__}.{module.name}")).values()
        for each in members:
            if isinstance(each, type) and issubclass(each, BaseFacet):
                found[each._get_schema()] = each
    return found


def loaded(event: Mapping[str, Any]) -> RunEvent:
    """Put an event into its class.

    Raises:
        TypeError: It has a key that the class does not know, lacks one, or a value of another type.
    """
    made = _object(RunEvent, event)
    assert isinstance(made, RunEvent)
    return made


def standard(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event without the facets of OpenLineage's Spark agent, of which the specification has no schema."""
    run = event["run"]
    kept = {key: each for key, each in run.get("facets", {}).items() if not key.startswith("spark_")}
    return {**event, "run": {**run, "facets": kept}}


def again(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event as OpenLineage's client writes it, from its classes; without what is empty."""
    return dict(without_empty(Serde.to_dict(loaded(event))))


def without_empty(value: Any) -> Any:
    """Leave out empty maps and lists: the client writes them for datasets without facets, fields without fields."""
    if isinstance(value, dict):
        kept = {key: without_empty(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each not in ({}, [])}
    return [without_empty(each) for each in value] if isinstance(value, list) else value


@cache
def _fields(cls: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """The types and the attributes of a class, by name."""
    return typing.get_type_hints(cls), {each.name: each for each in attr.fields(cls)}


def _object(cls: type, value: Mapping[str, Any]) -> Any:
    hints, fields = _fields(cls)
    given = {name: each for name, each in value.items() if name not in {"schemaURL", "_schemaURL"}}
    if unknown := given.keys() - fields.keys():
        raise TypeError(f"{cls.__name__} has no {sorted(unknown)}")
    made = {fields[name].alias: _value(name, hints[name], each) for name, each in given.items()}
    found = cls(**made)
    url = value.get("schemaURL") or value.get("_schemaURL")
    if url is not None and url != found._get_schema():
        raise TypeError(f"{cls.__name__} is {found._get_schema()}, not {url}")
    return found


def _value(name: str, hint: Any, value: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or str(origin) == "<class 'types.UnionType'>":
        kinds = [each for each in arguments if each is not type(None)]
        return _first_fitting(name, kinds, value)
    if origin is list:
        return [_value(name, arguments[0], each) for each in _of(list, value, name)]
    if origin is dict:
        known = _of(dict, value, name)
        return {key: (_facet if name in _OPEN else _value)(name, arguments[1], each) for key, each in known.items()}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if isinstance(hint, type) and attr.has(hint):
        return _object(hint, _of(dict, value, name))
    if hint is Any:
        return value
    if origin is typing.Literal:
        return _of(str, value if value in arguments else None, name)
    if hint in {int, float} and isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}")
    return _of((int, float) if hint is float else hint, value, name)


def _first_fitting(name: str, kinds: list[Any], value: Any) -> Any:
    for kind in kinds[:-1]:
        with suppress(TypeError):
            return _value(name, kind, value)
    return _value(name, kinds[-1], value)


def _facet(_: str, base: type, value: Mapping[str, Any]) -> Any:
    cls = facets()[value["_schemaURL"]]
    if not issubclass(cls, base):
        raise TypeError(f"{cls.__name__} stands where {base.__name__} belongs")
    return _object(cls, value)


def _of(kind: Any, value: Any, name: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}")
    return value


@cache
def json_schema() -> dict[str, Any]:
    """The JSON schema of a RunEvent: facets by their `_schemaURL`, each with what it must have."""
    definitions: dict[str, Any] = {}
    root = _reference(RunEvent, definitions)
    for cls in facets().values():
        _reference(cls, definitions)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions, **root}


def _reference(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}
        hints = typing.get_type_hints(cls)
        fields = [each for each in attr.fields(cls) if not each.name.startswith("_Runtime")]
        required = [each.name for each in fields if each.default is attr.NOTHING]
        identity = {"producer", "schemaURL", "_producer", "_schemaURL"} & {each.name for each in fields}
        definitions[cls.__name__] = {
            "type": "object",
            "required": sorted({*required, *identity}),
            "properties": {each.name: _kind(each.name, hints[each.name], definitions) for each in fields},
        }
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _kind(name: str, hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or str(origin) == "<class 'types.UnionType'>":
        kinds = [_kind(name, each, definitions) for each in arguments if each is not type(None)]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is list:
        return {"type": "array", "items": _kind(name, arguments[0], definitions)}
    if origin is dict:
        inner = _any_facet(arguments[1], definitions) if name in _OPEN else _kind(name, arguments[1], definitions)
        return {"type": "object", "additionalProperties": inner}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [each.value for each in hint]}
    if isinstance(hint, type) and attr.has(hint):
        return _reference(hint, definitions)
    if hint is str:
        formats = {
            "runId": "uuid",
            "eventTime": "date-time",
            "_producer": "uri",
            "_schemaURL": "uri",
            "producer": "uri",
        }
        return {"type": "string", **({"format": formats[name]} if name in formats else {})}
    return {"type": {int: "integer", float: "number", bool: "boolean"}[hint]} if hint is not Any else {}


def _any_facet(base: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """A facet of this place: what its `_schemaURL` names."""
    own = {url: cls for url, cls in facets().items() if issubclass(cls, base) and attr.fields(cls)}
    cases = [
        {
            "if": {"properties": {"_schemaURL": {"const": url}}},
            "then": _reference(cls, definitions),
        }
        for url, cls in own.items()
    ]
    return {"properties": {"_schemaURL": {"enum": list(own)}}, "required": ["_producer", "_schemaURL"], "allOf": cases}
