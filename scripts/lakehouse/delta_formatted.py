"""Delta with formatted text: `python -m lakehouse.delta_formatted NAME ROOT PACKAGES`; what that text hides."""

from __future__ import annotations

from lakehouse import common, delta_extended, delta_writers


def main() -> None:
    """Runs all statements."""
    shop, _ = common.opened(delta_writers.NS, "delta", lambda _: delta_writers.CONF)
    shop.run(delta_extended.FROM_METADATA)
    shop.spark.stop()


if __name__ == "__main__":
    main()
