"""Delta with extended text: `python -m lakehouse.delta_extended NAME ROOT PACKAGES`; answers from metadata."""

from __future__ import annotations

from lakehouse import common, delta_writers
from lakehouse.session import Statement

FROM_METADATA: list[Statement] = [
    delta_writers.UPDATE_FROM_METADATA,
    (
        "ctas: from metadata",
        "CREATE TABLE {ns}.counted USING delta AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates",
    ),
]


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(delta_writers.NS, "delta", lambda _: delta_writers.CONF, "extended")
    shop.run([*FROM_METADATA, common.MERGES[2]])
    delta_writers.paths(shop, str(root / "lake" / "orders"))
    delta_writers.feed(shop, root)
    shop.spark.stop()


if __name__ == "__main__":
    main()
