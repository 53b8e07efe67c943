"""Select the Spark properties to keep: an allow-list, with credentials removed from URIs.

EnvironmentUpdate contains the complete configuration of a driver, and Spark's own redaction recognizes secrets only by
name (`spark.redaction.regex`). So only properties that lineage needs are kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eventlog_lineage.connectors.connector import CATALOG, kept_catalog_settings, source_settings
from eventlog_lineage.connectors.connector import kept_settings as kept_settings_of_sources
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEPT = frozenset(
    {
        "spark.app.name",
        "spark.databricks.clusterUsageTags.clusterId",
        "spark.databricks.clusterUsageTags.sparkVersion",
        "spark.debug.maxToStringFields",
        "spark.eventLog.excludedPatterns",
        "spark.plugins",
        "spark.sql.adaptive.enabled",
        "spark.sql.caseSensitive",
        "spark.sql.catalogImplementation",
        "spark.sql.debug.maxToStringFields",
        "spark.sql.defaultCatalog",
        "spark.sql.extensions",
        "spark.sql.maxMetadataStringLength",
        "spark.sql.maxPlanStringLength",
        "spark.sql.sources.default",
        "spark.sql.ui.explainMode",
    }
)
_KEPT_URIS = frozenset(
    {
        "spark.hadoop.fs.defaultFS",
        "spark.hadoop.hive.metastore.uris",
        "spark.hive.metastore.uris",
        "spark.sql.warehouse.dir",
        "spark.sql.hive.metastore.uris",
    }
)
_CATALOG = re.compile(r"spark\.sql\.catalog\.[^.]+(?:\.(.+))?")
_CATALOG_SETTINGS = frozenset(("type", "catalog-impl", "metastore", "default-namespace", "warehouse", "uri", "url"))
_LONGEST = 1000

_PARAMETERS = re.compile(r"[?;#].*", re.DOTALL)
_PASSWORD = re.compile(r"(?<=//)[^/?#@:]*:[^/?#]*@")
_JDBC_USER = re.compile(r"(?<=//).*@|(?<=:thin:).*(?=@)", re.DOTALL)
_JDBC_PARAMETERS = re.compile(r"[?;#].*|:(?=\w+=).*|(?<!/)/(?=\w+=[^/]*$).*", re.DOTALL)
_PLACE = re.compile(r"[;?&,:/](?:(?:database|server|instance)name|database|db|projectid)=[\w.-]+", re.IGNORECASE)

_PLATFORM_PREFIXES = (
    ("spark.databricks.clusterUsageTags.", "databricks"),  # Delta also has settings under spark.databricks.
    ("spark.dataproc.", "dataproc"),
    ("spark.synapse.", "synapse"),
    ("spark.fabric.", "fabric"),
    ("spark.glue.", "glue"),
    ("spark.emr.", "emr"),
    ("spark.emr-serverless.", "emr"),
)
_ENGINE_SIGNS = (
    ("rapids", ("com.nvidia.spark.SQLPlugin", "com.nvidia.spark.rapids.")),
    ("gluten", ("org.apache.gluten.", "io.glutenproject.")),
    ("comet", ("org.apache.spark.CometPlugin", "org.apache.comet.")),
    ("auron", ("AuronSparkSessionExtension", "BlazeSparkSessionExtension")),
)
_AGENTS = {
    "kyuubi": "org.apache.kyuubi.plugin.lineage.",
    "openlineage": "OpenLineageSparkListener",
    "spline": "za.co.absa.spline.",
}
"""Lineage agents by the classes that a driver's listeners, plugins or extensions name."""
_LOADS_AGENTS = ("spark.extraListeners", "spark.sql.queryExecutionListeners", "spark.sql.extensions", "spark.plugins")
_ENGINE_SWITCHES = {
    "rapids": "spark.rapids.sql.enabled",
    "gluten": "spark.gluten.enabled",
    "comet": "spark.comet.enabled",
}


def kept_settings(properties: Mapping[str, object]) -> dict[str, str]:
    """Return the properties to keep.

    Args:
        properties: Spark properties, or the `modifiedConfigs` of an execution. Values that are not strings are omitted.

    Returns:
        The allowed properties; URIs without user, password and parameters; values of at most 1,000 characters.
    """
    kept = {}
    for key, value in properties.items():
        if not isinstance(value, str):
            continue
        if key in _KEPT:
            kept[key] = shortened(value, _LONGEST)
        elif key in _KEPT_URIS or key in kept_settings_of_sources():
            kept[key] = shortened(without_credentials(value), _LONGEST)
        elif (catalog := _CATALOG.fullmatch(key)) and _names_tables(catalog[1]):
            kept[key] = shortened(without_credentials(value) if _is_uri(catalog[1]) else value, _LONGEST)
    return kept


def session_sources(properties: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the settings of a session that name tables of connectors, sorted, without redacted values.

    Args:
        properties: The properties of a job, which are all that a session has set, or the `modifiedConfigs` of an
            execution.
    """
    names = kept_settings_of_sources()
    own = {key: value for key, value in properties.items() if key in names or key.startswith(CATALOG)}
    if not own:
        return ()
    kept = {key: value for key, value in kept_settings(own).items() if "(redacted)" not in value}
    return tuple(sorted(source_settings(kept).items()))


def _names_tables(setting: str | None) -> bool:
    """Return whether a setting of a catalog is kept: its class, or one that names its tables."""
    return setting is None or setting in _CATALOG_SETTINGS or setting in kept_catalog_settings()


def _is_uri(setting: str | None) -> bool:
    return setting in {"warehouse", "uri", "url"} or setting in kept_catalog_settings()


def without_credentials(uri: str) -> str:
    """Remove user, password and parameters from a URI or a list of URIs; JDBC's keep those that name a database.

    The text before an `@` without a colon is kept: in `abfss:` it is the container.

    >>> without_credentials("jdbc:postgresql://u:p@host/db?ssl=true")
    'jdbc:postgresql://host/db'
    """
    if not uri.startswith("jdbc:"):
        return _PASSWORD.sub("", _PARAMETERS.sub("", uri))
    places = (f";{each[1:]}" for each in _PLACE.findall(uri))
    return "".join((_JDBC_USER.sub("", _JDBC_PARAMETERS.sub("", uri)), *places))


def platform_of(properties: Mapping[str, object]) -> str:
    """Return the vendor by the names of the properties; empty if they show none."""
    found = (name for prefix, name in _PLATFORM_PREFIXES if any(key.startswith(prefix) for key in properties))
    return next(found, "")


def engine_of(properties: Mapping[str, object]) -> str:
    """Return the native engine by plugins, extensions and Databricks' tags; empty for Spark's own engine."""
    loaded = f"{properties.get('spark.plugins', '')},{properties.get('spark.sql.extensions', '')}"
    for engine, signs in _ENGINE_SIGNS:
        if any(sign in loaded for sign in signs):
            switch = str(properties.get(_ENGINE_SWITCHES.get(engine, ""), "true"))
            return "" if switch.lower() == "false" else engine
    tags = "spark.databricks.clusterUsageTags."
    photon = "-photon-" in str(properties.get(tags + "sparkVersion", ""))
    return "photon" if photon or properties.get(tags + "runtimeEngine") == "PHOTON" else ""


def agents_of(properties: Mapping[str, object]) -> str:
    """Return the lineage agents that the driver loads: `openlineage, spline`; empty for none."""
    loaded = ",".join(str(properties.get(name, "")) for name in _LOADS_AGENTS)
    return ", ".join(agent for agent, sign in _AGENTS.items() if sign in loaded)
