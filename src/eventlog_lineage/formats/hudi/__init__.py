"""Apache Hudi (0.14 to 1.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import FactScanner, FormatPass, TableFormat

from .commands import COMMANDS
from .merge import bind_merge
from .plan_facts import scan_columns
from .rules import name_scan, save_options
from .saved_changes import add_saved_changes

FORMAT = TableFormat(
    name="hudi",
    commands=COMMANDS,
    added_columns=(r"_hoodie_\w+",),
    keeps_columns=True,
    name_scan=name_scan,
    plan_facts=(FactScanner(("Hudi", "hudi"), scan_columns),),
    passes=(FormatPass("write", bind_merge), FormatPass("write", add_saved_changes)),
    save_options=save_options,
)
