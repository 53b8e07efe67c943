"""Files and folders that land one after the other, named by their date or their number, are one dataset."""

from __future__ import annotations

import re

_NUMBERED = r"[-_.]?\d[\d_.:T-]*"
_SUFFIX = r"\.(?:jsonl?|ndjson|csv|tsv|psv|txt|xml|log|parquet|orc|avro)(?:\.(?:gz|bz2|zstd?|snappy|lz4|xz))?"
_NAME = r"(?:[A-Za-z]{0,2}|(?P=name))"
_DATE = (
    r"20\d\d(?:[-_][01]\d(?:[-_][0-3]\d)?|[01]\d[0-3]\d|/[01]\d(?:/[0-3]\d)?)"
    r"(?:[-_/T]?(?:[01]\d|2[0-3])(?:[-_.:]?[0-5]\d){0,2}Z?)?"
)
DEFAULT_LANDING_FILES = (
    rf"(?P<folder>.*?/(?P<name>[^/]+))/(?:{_DATE}(?:/{_NAME}(?:{_NUMBERED})?{_SUFFIX})?|{_NAME}{_NUMBERED}{_SUFFIX})"
)
"""`orders/n1.json`, `orders/2026-11-20.csv.gz`, `orders/orders_20261120.json`: at most two letters, or the folder's own
name, before the digits. `landing/orders_1.csv` next to `landing/customers_1.csv` are two datasets. Folders of dates:
`orders/2026-11-20`, `orders/2026/11/20`, `orders/20261120/04`, with such files in them."""


def landing_folder(location: str, rule: re.Pattern[str]) -> str | None:
    """Return the folder of a landing file; None for a path that the rule does not match.

    Args:
        location: The path's name, a URI.
        rule: Matches the whole path; its group `folder` is the dataset.

    >>> rule = re.compile(DEFAULT_LANDING_FILES)
    >>> landing_folder("s3://lake/orders/2026-11-20.json.gz", rule)
    's3://lake/orders'
    >>> landing_folder("s3://lake/orders/2026/11/20", rule)
    's3://lake/orders'
    >>> landing_folder("s3://lake/landing/orders_1.csv", rule)
    """
    match = rule.fullmatch(location)
    return match["folder"] if match else None
