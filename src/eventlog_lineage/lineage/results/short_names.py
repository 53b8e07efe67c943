"""Shorten the names of datasets in expressions: to the last part, if only one dataset has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def short_names(datasets: Iterable[str]) -> dict[str, str]:
    """Return the shortest endings that identify each dataset.

    Args:
        datasets: Names as the store has them: `spark_catalog.sales.orders`, `s3://lake/raw/orders`.

    Returns:
        Dataset to short name: `orders`; `sales.orders` if there is another `orders`.

    >>> short_names(["c.sales.orders", "c.stock.orders", "c.sales.users"])
    {'c.sales.orders': 'sales.orders', 'c.sales.users': 'users', 'c.stock.orders': 'stock.orders'}
    """
    names = sorted(set(datasets))
    length = dict.fromkeys(names, 1)
    while True:
        short = {name: _ending(name, length[name]) for name in names}
        taken = Counter(short.values())
        clashing = [name for name in names if taken[short[name]] > 1 and short[name] != name]
        if not clashing:
            return short
        for name in clashing:
            length[name] += 1


def _ending(name: str, words: int) -> str:
    separator = "/" if "/" in name else "."
    parts = name.split(separator)
    return separator.join(parts[-words:]) if words < len(parts) else name
