"""Draw how Power BI, Tableau and Metabase read a store: `docs/images/connect-*.svg`.

    python scripts/dashboards/draw_connections.py

Drawings, because these programs run neither in CI nor without an account: each shows what is installed where, what is
typed into which field, and which relations come back.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
WIDTH, HEIGHT, GAP, LINE = 320, 190, 50, 20
FONT = "font-family='system-ui, sans-serif'"
CODE = "font-family='ui-monospace, monospace'"


@dataclass(frozen=True, slots=True)
class Box:
    """A place, and what is done there.

    Attributes:
        title: The place.
        lines: What is there; those with a leading `>` are typed.
    """

    title: str
    lines: tuple[str, ...]


STORE = Box(
    "The store",
    ("lineage.duckdb", "column_lineage/*.parquet", "executions/*/*.parquet", "…", "read-only, private (0700)"),
)

DRAWINGS: dict[str, tuple[Box, Box, Box]] = {
    "power-bi": (
        STORE,
        Box(
            "DuckDB's ODBC driver",
            (
                "ODBC Data Sources, System DSN, Add",
                "Name",
                ">lineage",
                "Settings",
                ">database=C:\\lineage\\lineage.duckdb;",
                ">access_mode=READ_ONLY",
            ),
        ),
        Box(
            "Power BI Desktop",
            (
                "Get data, ODBC, DSN",
                ">lineage",
                "SQL statement (a panel, or)",
                ">FROM upstream('sales.daily.total')",
                "Import mode, refresh after the harvest",
            ),
        ),
    ),
    "tableau": (
        STORE,
        Box(
            "DuckDB's JDBC driver",
            (
                "~/Library/Tableau/Drivers, or",
                "C:\\Program Files\\Tableau\\Drivers",
                ">duckdb_jdbc-….jar",
                "Property",
                ">duckdb.read_only=true",
            ),
        ),
        Box(
            "Tableau Desktop",
            (
                "Connect, Other Databases (JDBC)",
                "URL",
                ">jdbc:duckdb:/var/lib/lineage/lineage.duckdb",
                "New Custom SQL, or drag a table",
                ">main.column_lineage",
            ),
        ),
    ),
    "metabase": (
        STORE,
        Box(
            "DuckDB driver for Metabase",
            ("The folder plugins/ next to", "metabase.jar gets", ">duckdb.metabase-driver.jar", "Restart Metabase"),
        ),
        Box(
            "Metabase",
            (
                "Admin settings, Databases, Add, DuckDB",
                "Database file",
                ">/var/lib/lineage/lineage.duckdb",
                "Establish a read-only connection",
                ">on",
            ),
        ),
    ),
}


def main() -> None:
    """Write the drawings."""
    for name, boxes in DRAWINGS.items():
        (IMAGES / f"connect-{name}.svg").write_text(draw(boxes))


def draw(boxes: tuple[Box, ...]) -> str:
    """Return boxes from left to right, with arrows between them, as SVG.

    Args:
        boxes: The boxes.
    """
    width = len(boxes) * WIDTH + (len(boxes) - 1) * GAP + 20
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {HEIGHT + 20}' role='img'>"]
    parts.append(f"<title>{escape(' to '.join(box.title for box in boxes))}</title>")
    for number, box in enumerate(boxes):
        left = 10 + number * (WIDTH + GAP)
        parts += _box(box, left)
        if number:
            parts.append(_arrow(left - GAP))
    return "\n".join([*parts, "</svg>", ""])


def _box(box: Box, left: int) -> list[str]:
    frame = f"<rect x='{left}' y='10' width='{WIDTH}' height='{HEIGHT}' rx='8' fill='#f8fafc' stroke='#475569'/>"
    parts = [frame, _text(box.title, left + 14, 36, f"{FONT} font-size='16' font-weight='600' fill='#0f172a'")]
    for number, line in enumerate(box.lines):
        top = round(62 + number * LINE * 1.15)
        if line.startswith(">"):
            size = f"width='{WIDTH - 24}' height='21'"
            parts.append(f"<rect x='{left + 12}' y='{top - 15}' {size} fill='#fff' stroke='#94a3b8'/>")
            parts.append(_text(line[1:], left + 18, top, f"{CODE} font-size='11' fill='#0f172a'"))
        else:
            parts.append(_text(line, left + 14, top, f"{FONT} font-size='13' fill='#334155'"))
    return parts


def _text(text: str, left: int, top: int, style: str) -> str:
    return f"<text x='{left}' y='{top}' {style}>{escape(text)}</text>"


def _arrow(left: int) -> str:
    middle, right = 10 + HEIGHT // 2, left + GAP - 14
    head = f"{right + 10},{middle} {right},{middle - 6} {right},{middle + 6}"
    line = f"<path d='M{left + 4} {middle}H{right}' stroke='#475569' stroke-width='2'/>"
    return f"{line}<polygon points='{head}' fill='#475569'/>"


if __name__ == "__main__":
    main()
