"""The hand-written truth of tests/night_logs, and what a store says, in the same words."""

from __future__ import annotations

from pathlib import Path

from support.stores.memory import MemoryStore
from support.stores.rows import rows

FOLDER = Path(__file__).resolve().parents[2] / "night_logs"
LOGS = sorted((FOLDER / "logs").glob("*.zstd"))

_SCHEMAS = """
    SELECT a.app_name, c.dataset, c.version, c.change, c.column_name, c.old_value, c.new_value, c.nature, c.evidence,
           c.confidence
    FROM schema_changes c JOIN applications a USING (app_id, attempt_id)
"""

_LINEAGES = """
    SELECT a.app_name, c.job_name, c.target_dataset, c.change, c.target_column,
           c.source_dataset || '.' || coalesce(c.source_column, ''), c.transformation, c.old_value, c.new_value
    FROM lineage_changes c JOIN applications a USING (app_id, attempt_id)
"""


def truth(kind: str) -> list[str]:
    """The rows that the truth has of a kind, `schema` or `lineage`, each after its night."""
    night, found = "", []
    for line in (FOLDER / "nights.truth").read_text(encoding="utf-8").splitlines():
        if line.startswith("night "):
            night = line.removeprefix("night ").partition(":")[0]
        word, _, rest = line.partition(" ")
        if word == kind:
            first, *cells = (cell.strip() for cell in rest.split("|"))
            words = first.split() if kind == "schema" else [first]
            found.append(" | ".join([night, *words, *cells]).rstrip(" |"))
    return sorted(found)


def told(kind: str, store: Path | MemoryStore) -> list[str]:
    """The rows that a store has of a kind."""
    found = rows(store, _SCHEMAS if kind == "schema" else _LINEAGES)
    return sorted(" | ".join([_night(str(name)), *map(_word, cells)]).rstrip(" |") for name, *cells in found)


def _night(app_name: str) -> str:
    day, _, again = app_name.removeprefix("nightly-shop 2026-11-").partition(" ")
    return f"{day}b" if again else day


def _word(cell: object) -> str:
    """Datasets by the words that the truth has for them."""
    text = "" if cell is None else str(cell)
    text = text.replace("file:///tmp/nightly_shop/", "").replace("spark_catalog.", "")
    return text.removeprefix("lake.shop.").removeprefix("nightly-shop: ") if text.count(": ") < 2 else text
