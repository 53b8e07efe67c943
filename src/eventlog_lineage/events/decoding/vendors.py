"""Detect the vendor of the Spark that wrote a log by its version, if the settings do not show it."""

from __future__ import annotations

import re

_BY_VERSION = (
    ("emr", re.compile(r".*-amzn-\d+.*")),
    ("databricks", re.compile(r".*(?:databricks|-dbr|photon).*", re.IGNORECASE)),
    ("cloudera", re.compile(r".*(?:\.cloudera|-cdh|\d\.\d+\.\d+\.7\.\d+\.\d+(?:\.\d+)?[.-]\d+).*")),
    ("synapse", re.compile(r"\d\.\d+\.\d+\.5\.\d+[.-]\d+.*")),
    ("mapr", re.compile(r".*-(?:mapr|eep)-.*")),
)


def platform_of_version(version: str) -> str:
    """Return the vendor by `Spark Version`; `oss` for Apache's own and unknown versions.

    >>> platform_of_version("3.3.0-amzn-0"), platform_of_version("3.5.1")
    ('emr', 'oss')
    """
    return next((platform for platform, pattern in _BY_VERSION if pattern.fullmatch(version)), "oss")
