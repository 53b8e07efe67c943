"""Files that land one after the other, each named by its date or its number, are one dataset: their folder."""

from __future__ import annotations

import re

DEFAULT_LANDING_FILES = (
    r"(?P<folder>.*/(?P<name>[^/]+))/(?:[A-Za-z]{0,2}|(?P=name))[-_.]?\d[\d_.:T-]*"
    r"\.(?:jsonl?|ndjson|csv|tsv|psv|txt|xml|log|parquet|orc|avro)(?:\.(?:gz|bz2|zstd?|snappy|lz4|xz))?"
)
"""`orders/n1.json`, `orders/2026-11-20.csv.gz`, `orders/orders_20261120.json`: at most two letters, or the folder's own
name, before the digits. `landing/orders_1.csv` next to `landing/customers_1.csv` are two datasets."""


def landing_folder(location: str, rule: re.Pattern[str]) -> str | None:
    """Return the folder of a landing file; None for a path that the rule does not match.

    Args:
        location: The path's name, a URI.
        rule: Matches the whole path; its group `folder` is the dataset.

    >>> rule = re.compile(DEFAULT_LANDING_FILES)
    >>> landing_folder("s3://lake/orders/2026-11-20.json.gz", rule)
    's3://lake/orders'
    >>> landing_folder("s3://lake/landing/orders_1.csv", rule)
    """
    match = rule.fullmatch(location)
    return match["folder"] if match else None
