"""Whose Spark wrote a log: the vendor by the version string, where its settings do not tell."""

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
    """Tell the vendor from `Spark Version`, as in `3.3.0-amzn-0`; `oss` where it is Apache's own or unknown."""
    return next((platform for platform, pattern in _BY_VERSION if pattern.fullmatch(version)), "oss")
