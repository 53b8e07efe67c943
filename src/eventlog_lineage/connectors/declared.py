"""Find the declarations of connectors: those of this package, those of installed packages, and the user's."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from eventlog_lineage.errors import UsageError

from .connector import Connector, read_declaration

ENTRY_POINTS = "eventlog_lineage.connectors"
"""The group of entry points whose values are modules: each TOML file in their package declares a connector."""

JDBC = "jdbc"
_CATALOG = "spark.sql.catalog."
_WORDS = re.compile(r"(?<!\\)[A-Za-z][A-Za-z ]*[A-Za-z]")


@cache
def connectors() -> Mapping[str, Connector]:
    """Return the connectors by name; a declaration of an installed package replaces one of the same name.

    Raises:
        UsageError: A declaration is invalid.
    """
    found = {each.name: each for each in _declared(__package__)}
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        found |= {each.name: each for each in _declared(point.value)}
    own = {each.name: each for each in (read_declaration(load_toml(text, "connector"), "connector") for text in _own)}
    return {**own, **{name: each for name, each in found.items() if name not in own}}


_own: tuple[str, ...] = ()


def use_connectors(texts: tuple[str, ...]) -> None:
    """Add the user's connectors in this process; they come before those of the package.

    Args:
        texts: TOML documents.

    Raises:
        UsageError: A declaration is invalid.
    """
    global _own  # noqa: PLW0603 - connectors are found once per process, as formats are
    if texts == _own:
        return
    _own = texts
    for each in (connectors, connector_of_class, kept_settings, kept_catalog_settings, varying_texts):
        each.cache_clear()
    connectors()


def read_connector_file(path: str) -> str:
    """Return the text of a connector's TOML file.

    Raises:
        UsageError: The file cannot be read, or its declaration is invalid.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the connector: {error}", path, "check the path") from None
    read_declaration(load_toml(text, path), path)
    return text


def _declared(package: str) -> Iterator[Connector]:
    for name, content in documents(package):
        yield read_declaration(content, name)


def documents(package: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the TOML files of a package, by name.

    Raises:
        UsageError: A file is not TOML.
    """
    for resource in sorted(files(package).iterdir(), key=lambda each: each.name):
        if resource.name.endswith(".toml"):
            yield resource.name, load_toml(resource.read_text(encoding="utf-8"), resource.name)


def load_toml(text: str, origin: str) -> dict[str, Any]:
    """Return the content of a TOML file.

    Args:
        text: The file's text.
        origin: Its name, for errors.

    Raises:
        UsageError: The text is not TOML.
    """
    try:
        import tomllib  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - few calls read one
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore,no-redef] # noqa: PLC0415
    try:
        return dict(tomllib.loads(text))
    except ValueError as error:
        raise UsageError(f"invalid TOML: {error}", origin, "see https://toml.io for the syntax") from None


@cache
def connector_of_class(name: str) -> Connector | None:
    """Return the connector of a class or short name of a provider, a table or a catalog; None for others."""
    return next((each for each in connectors().values() if each.owns(name)), None)


@cache
def kept_settings() -> frozenset[str]:
    """Return the settings that name a connector's tables, apart from those of catalogs."""
    directed = (each.settings_of(name) for each in connectors().values() for name in ("read", "write"))
    return frozenset(key for settings in directed for keys in settings.values() for key in keys)


@cache
def kept_catalog_settings() -> frozenset[str]:
    """Return the settings below `spark.sql.catalog.<name>.` that name a connector's tables."""
    return frozenset(key for each in connectors().values() for keys in each.catalog_settings.values() for key in keys)


@cache
def varying_texts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return patterns of printed text that differs between runs of one plan, each with a word that its matches have."""
    listed = [text for each in connectors().values() for text in each.varying]
    return tuple((max(_WORDS.findall(text), key=len), re.compile(text)) for text in listed)


def source_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of an application that name tables of connectors, catalogs of connectors included.

    Args:
        settings: The application's Spark properties.
    """
    kept = {key: value for key, value in settings.items() if key in kept_settings()}
    for key, value in settings.items():
        name = key.removeprefix(_CATALOG)
        if key.startswith(_CATALOG) and "." not in name and connector_of_class(value) is not None:
            kept[key] = value
            kept |= {below: settings[below] for below in settings if below.startswith(f"{key}.")}
    return kept
