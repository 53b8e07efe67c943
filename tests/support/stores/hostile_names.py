"""Names that try to be more than names, and a store that is full of them."""

from __future__ import annotations

from pathlib import Path

from support.stores.nights import Night

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'`--><!--",
    "a\u202egpj.exe\u2066",
    "&lt;b&gt; &amp; <b>",
    "]]></style>",
    "=cmd|' /C calc'!A0",
    "javascript:alert(1)",
    "__proto__",
)


def hostile_store(store: Path) -> None:
    """Make a store whose applications, jobs, datasets, columns, expressions, types and gaps have such names."""
    for day in range(2):
        _hostile_night(store, day)


def _hostile_night(store: Path, day: int) -> None:
    night = Night(day)
    night.app(name=HOSTILE[0], user_name=HOSTILE[1])
    for number, name in enumerate(HOSTILE):
        edges = [(f"spark_catalog.{name}.in!{each}", each, "TRANSFORMATION", each) for each in HOSTILE]
        shape = night.statement(
            edges, target=f"spark_catalog.db.{name}", execution=number, description=name, literal=f"-{day}"
        )
        night.show(shape, f"spark_catalog.db.{name}", *_columns(day), literal=f"-{day}")
        night.add("lineage_gaps", lineage_fingerprint=shape, reason=name, operator=name, detail=name, hint=name)
    night.harvest(store)


def _columns(day: int) -> list[str]:
    """The columns of a day: on the second one they have another type, and a hostile one at that."""
    return [f"{name}:{'string' if day == 0 else HOSTILE[1]}" for name in HOSTILE if ":" not in name]
