"""Delta with extended text: `python -m lakehouse.delta_extended NAME ROOT PACKAGES`; answers from metadata."""

from __future__ import annotations

from lakehouse import common, delta_writers


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(delta_writers.NS, "delta", lambda _: delta_writers.CONF, explainMode="extended")
    shop.run(
        [
            (
                "update: from metadata",
                "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates) WHERE id = 2",
            ),
            (
                "ctas: from metadata",
                "CREATE TABLE {ns}.counted USING delta AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates",
            ),
            common.MERGES[2],
        ]
    )
    delta_writers.paths(shop, str(root / "lake" / "orders"))
    delta_writers.feed(shop, root)
    shop.spark.stop()


if __name__ == "__main__":
    main()
