"""How events are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from eventlog_lineage.export.runs import Selection

INDIRECT = ("dataset", "fields", "none")
NESTED = ("dotted", "top")


@dataclass(frozen=True, slots=True)
class EventOptions:
    """How events are written.

    Attributes:
        selection: Which runs.
        namespace: The namespace of jobs.
        catalogs: Catalog to the namespace of its tables.
        indirect: Where FILTER, JOIN, GROUP_BY and SORT go: into the facet's `dataset` list, onto each of the `fields`,
            or, like WINDOW and CONDITIONAL then, nowhere.
        nested: Columns in structs by their `dotted` names, or folded to the `top` column.
        explicit: Add the `lineage` facet to jobs.
    """

    selection: Selection = field(default_factory=Selection)
    namespace: str = "default"
    catalogs: Mapping[str, str] = field(default_factory=dict)
    indirect: str = "dataset"
    nested: str = "dotted"
    explicit: bool = False
