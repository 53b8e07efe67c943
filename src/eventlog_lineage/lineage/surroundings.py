"""What an application's settings say that its plans do not: catalogs' names, the place of managed tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..datasets.naming import SESSION_CATALOG, path_name

_CATALOG = "spark.sql.catalog."
_WAREHOUSE = "spark.sql.warehouse.dir"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The settings that plans are read with.

    Attributes:
        catalogs: (catalog class, catalog name) for the classes that only one catalog has: V2 commands print
            `DeltaCatalog@db6c021`, never the catalog's name.
        warehouse: `spark.sql.warehouse.dir`, normalised; empty where it is not set.
    """

    catalogs: tuple[tuple[str, str], ...] = ()
    warehouse: str = ""

    def managed_location(self, table: str) -> str:
        """Where a managed table of the session catalog lies by default (`SessionCatalog.defaultTablePath`).

        Args:
            table: `spark_catalog.database.table`.

        Returns:
            The location; empty for a table of another catalog or without a known warehouse.
        """
        parts = table.split(".")
        if not self.warehouse or len(parts) != 3 or parts[0] != SESSION_CATALOG:
            return ""
        folder = "" if parts[1] == "default" else f"/{parts[1]}.db"
        return f"{self.warehouse}{folder}/{parts[2]}"


NOWHERE = Surroundings()
"""What is known of a plan that stands alone."""


def surroundings_of(settings: Mapping[str, str]) -> Surroundings:
    """The surroundings that an application's settings make."""
    names: dict[str, list[str]] = {}
    for key, value in settings.items():
        name = key.removeprefix(_CATALOG)
        if key.startswith(_CATALOG) and "." not in name:
            names.setdefault(value, []).append(name)
    catalogs = tuple(sorted((value, found[0]) for value, found in names.items() if len(found) == 1))
    warehouse = settings.get(_WAREHOUSE, "")
    return Surroundings(catalogs, path_name(warehouse) if warehouse else "")
