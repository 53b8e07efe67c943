"""The tables that Paimon's texts name, with their database or without."""

from __future__ import annotations

import re

PAIMON = ("aimon", "FileStoreTable[")
"""Words of which one stands in each of Paimon's texts."""

WITHOUT_NAME = "FileStoreTable@"
"""What stands for the table of a command that prints its object only."""

_SCAN = re.compile(
    r"\n\(\d+\) (?P<operator>BatchScan|MicroBatchScan)(?: (?P<name>[\w.$-]+))?[^\n]*\nOutput[^\n]*\n"
    r"Paimon\w*Scan: \[(?P<bare>[^\]\n]+)\]"
)
_STORE = re.compile(r"\b\w+(?:FileStore|Format|Object)Table\[([\w.$-]+)\]")
_RELATION = re.compile(
    r"\nArguments: RelationV2\[[^\]\n]*\] (?:[\w.$-]+ )?(?P<name>[\w.$-]+), "
    r"(?P<scan>PaimonScan\()?org\.apache\.paimon\.table\.\w+@(?P<hash>[0-9a-f]+)\b"
)
_OBJECT = re.compile(r"\nArguments: (?:SparkTable\()?org\.apache\.paimon\.table\.\w+@([0-9a-f]+)\b")
_WRITE = re.compile(r"\bPaimon\w*Write\(table=([^,)\n]+)")
_DEFINED = re.compile(
    r"\nArguments: org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\)), ([\w.$-]+)"
)
_CALL = re.compile(
    r"\n\(\d+\) PaimonCall\nArguments: \[[^\n]*\], "
    r"[\w.]+\.(?:Compact|Rescale|Rollback\w*|FastForward)Procedure@\w+, \[([\w$-]+\.[\w.$-]+)[,\]]"
)
"""The procedures that make snapshots."""
SAME_ROWS = re.compile(r"(?:\$branch_[^$.]+)?(?:\$(?:audit_log|binlog|ro))?$")
"""How names end that stand for the table itself: a branch of it, its rows with columns more or as they were."""


def paimon_marks(text: str) -> list[tuple[str, str, str]]:
    """(role, place, version) as in `SnapshotMark`, with two roles more.

    `known` is a table's name with its database, `version` being the hash code of the object that printed it, if one
    did (`AbstractFileStoreTable.hashCode` is made of its place and schema); `bare` a name without a database, or
    `WITHOUT_NAME` with the object's hash code.

    Args:
        text: `physicalPlanDescription`.
    """
    found: list[tuple[str, str, str]] = []
    for match in _SCAN.finditer(text):
        name = SAME_ROWS.sub("", match["name"] or match["bare"])
        found.append(("known" if "." in name else "bare", name, ""))
        if match["operator"] == "MicroBatchScan":
            found.append(("batch", f"paimon|{name}", ""))
    for match in _RELATION.finditer(text):
        found.append(("known", match["name"], match["hash"]))
        found += [] if match["scan"] else [("write", f"paimon|{match['name']}", "")]
    for match in _OBJECT.finditer(text):
        found += [("bare", WITHOUT_NAME, match[1]), ("write", f"paimon|{WITHOUT_NAME}", "")]
    found += [("known", match[1], "") for match in _DEFINED.finditer(text)]
    for match in (*_STORE.finditer(text), *_WRITE.finditer(text), *_CALL.finditer(text)):
        found += [("known", match[1], ""), ("write", f"paimon|{match[1]}", "")]
    return found
