"""Identify a statement between runs: its lineage id is a hash of its plans, their links and its evidence.

Stores keep lineage ids, and a statement whose id a store has is not traced again. Fields that have their defaults are
not part of a key: a new kind of evidence changes the ids only of the statements that have it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from eventlog_lineage.catalog.settings import CatalogSettings
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.statement import NO_CONTEXT, AttributeLink, StatementContext

_EVIDENCE = """
    stream batch views commit_location tables maintained_table scanned rdds id_offsets attribute_ids catalogs sampled
    has_no_plan has_driver_rows masks namespaces application
""".split()
"""The kinds of evidence, in their order in a key: digests of keys are stored."""


def settings_key(catalog_settings: CatalogSettings) -> str:
    """Return the key of an application's catalog settings; one per application, as all its statements share it.

    >>> settings_key(CatalogSettings((("org.example.Catalog", "lake"),), "/warehouse"))
    '{"catalogs":[["org.example.Catalog","lake"]],"warehouse":"/warehouse"}'
    """
    known = replace(catalog_settings, shared=(), application="")  # what follows is in `StatementContext`
    return _key(known)


def context_key(context: StatementContext) -> str:
    """Return the key of a statement's evidence from outside its plans; empty for most statements.

    Attribute ids that a command prints differ between runs and are left out.

    Args:
        context: The evidence. Every field is part of the key, or two statements share a lineage id.
    """
    if context == NO_CONTEXT:
        return ""
    tables = context.names.tables
    texts = replace(tables, aggregates=tuple((0, text) for _, text in tables.aggregates))
    names = replace(context.names, tables=texts)
    given = {
        label: value for each in (context, names, context.hidden, context.rows) for label, value in _given(each).items()
    }
    return _key({label: given[label] for label in _EVIDENCE if label in given})


@lru_cache(maxsize=10_000)
def lineage_id(fingerprints: tuple[str, ...], size: int, links: tuple[AttributeLink, ...], key: str) -> str:
    """Return the lineage id of a statement: 32 hexadecimal digits.

    Args:
        fingerprints: The plans of its executions, then the plans that bind their attributes.
        links: The attributes that one of the plans leaves unbound and another binds.
        key: `settings_key` of the application and `context_key` of the statement, in this order.
    """
    pairs = (f"{each.plan}.{each.attribute}={each.producer}.{each.bound}" for each in links)
    return _digest("\n".join((*fingerprints, str(size), *pairs, key)))


def compared_lineage_id(plain_id: str, reported: Iterable[ExternalLineage]) -> str:
    """Return the lineage id of a statement that is compared with the lineage that other tools report.

    Args:
        plain_id: The statement's id without that lineage.
        reported: The lineage that the other tools report; the time of the report is not part of the id.
    """
    keys = [(each.input_tables, each.output_tables, each.columns, each.failed, each.certain) for each in reported]
    return _digest(f"{plain_id} compared {_key(keys)}")


def masked_lineage_id(plain_id: str, masks: tuple[str, ...]) -> str:
    """Return the lineage id of a statement that is traced with the user's masking functions.

    Args:
        plain_id: The statement's id without them.
    """
    return _digest(f"{plain_id} masks {_key(masks)}")


def owned_lineage_id(plain_id: str, owner: str) -> str:
    """Return the lineage id of a statement that may name temporary views.

    Args:
        plain_id: The statement's id without their owner.
        owner: `Statement.view_owner`.
    """
    return _digest(f"{plain_id} views of {owner}")


def _key(value: object) -> str:
    """Return a value as JSON, dataclasses as their fields that do not have their defaults."""
    return json.dumps(value, default=_given, separators=(",", ":"))


def _given(value: Any) -> Mapping[str, object]:
    values = ((each.name, getattr(value, each.name), each.default) for each in fields(value))
    return {name: given for name, given, default in values if given != default}


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
