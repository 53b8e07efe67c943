"""What expressions call datasets: the last word of a name, as long as it is one dataset's only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def short_names(datasets: Iterable[str]) -> dict[str, str]:
    """The shortest endings of the datasets' names that tell them apart.

    Args:
        datasets: Names as the store has them: `spark_catalog.sales.orders`, `s3://lake/raw/orders`.

    Returns:
        Dataset to short name: `orders`; `sales.orders` where there is another `orders`.
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
