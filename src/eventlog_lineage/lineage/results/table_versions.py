"""Find the snapshots that statements read and write, table by table in order of time.

A version that a plan names is exact. Plans seldom name the version that a write creates: a state loaded after the
write is exact, too; otherwise the version is inferred as the one after the changed version (formats that count
versions), or as the id that the next statement loads (formats with ids).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_RANDOM_DIGITS = 10
"""Ids with at least as many digits are random (Iceberg); shorter ones are consecutive numbers (Paimon)."""


class SnapshotUse(NamedTuple):
    """A snapshot that a statement reads or writes.

    Attributes:
        execution_id: The statement's root.
        dataset: The table's location or name, as printed in the log.
        direction: `read` or `write`.
        snapshot_id: The format's id or version number; several, ascending, if a statement reads several of one table.
        confidence: `exact` if the log names it, `inferred` otherwise.
    """

    execution_id: int
    dataset: str
    direction: str
    snapshot_id: str
    confidence: str


@dataclass(slots=True)
class TableAccess:
    """The snapshots of one table that the plans of one statement name.

    Attributes:
        found: Snapshots that were loaded, or that scans name, in order of time.
        is_late: The last of them was loaded after the statement had written its rows.
        is_result: All of them were loaded after that, by a compaction: the statement does not read them.
        is_only_late: The same of an append, with or without a compaction: of a table whose version is unknown, the
            loaded one may be that of before the commit, or that of after it.
        base: The snapshot that the command changes, if it prints one.
        writes: The statement writes the table.
        commits: How often the statement writes it.
        is_compacted: A compaction after the write makes one more version.
        creates: The table's first version, if the statement creates it.
        first: The same, also if the statement may replace the table.
        drops: The statement drops the table.
        may_write: Whether the statement changes the table is not in the log: `TRUNCATE` of an empty table, an append
            of no rows.
        is_new: The statement creates the table, whose format has ids.
        is_streamed: The table is a source of a stream, which loads the versions that its offsets name.
    """

    found: list[str] = field(default_factory=list)
    is_late: bool = False
    is_result: bool = False
    is_only_late: bool = False
    base: str = ""
    writes: bool = False
    commits: int = 1
    is_compacted: bool = False
    creates: str = ""
    first: str = ""
    drops: bool = False
    may_write: bool = False
    is_new: bool = False
    is_streamed: bool = False

    def add_loaded(self, version: str, *, later: bool) -> None:
        """Add a version that was loaded; `later` if that was after the statement had written its rows."""
        self.is_result = later and (self.is_result or not self.found)
        self.found.append(version)
        self.is_late = later

    def add_written(self, version: str, *, is_new: bool, creates: bool) -> None:
        """Add a write; `version` is the table's first one, if the statement creates it."""
        self.writes = True
        self.is_new |= is_new
        self.first = self.first or version
        if creates:
            self.creates = self.creates or version

    def read_before_write(self) -> list[str]:
        """Return the only snapshot that was loaded before the table may have changed; none if there are several."""
        is_sure = self.writes and not self.is_late and not self.drops
        return self.found[:1] if is_sure and len(set(self.found)) == 1 else []

    def change_loaded(self) -> None:
        """Take the loaded snapshot for the one that a write changes: the statement does not read the table."""
        if self.found and not self.is_late and not self.base:
            self.base, self.found = self.found[-1], []


class TableVersions:
    """The versions of all tables, updated statement by statement in order of time.

    Ids have no order: an id that is loaded after a write is that of the write if every earlier snapshot was loaded
    before (`_unattributed` counts those that were not), or if the write itself loads the snapshot that it changes
    (`_with_base`).

    Attributes:
        refuted: Inferred writes that changed nothing, according to a later statement.
    """

    def __init__(self) -> None:
        self._current: dict[str, str] = {}
        self._seen: dict[str, set[str]] = {}
        self._inferred: dict[str, SnapshotUse] = {}
        self._unnamed: dict[str, int] = {}
        self._unattributed: dict[str, int] = {}
        self._with_base: set[int] = set()
        self._branched: set[str] = set()
        self._created: set[int] = set()
        self.refuted: set[SnapshotUse] = set()

    def forget_pending_writes(self) -> None:
        """Do not attribute the next new snapshot of a table with ids to a write: a procedure may have created it."""
        for table in [each for each in self._unnamed if "/" not in each]:
            del self._unnamed[table]
            self._unattributed[table] = self._unattributed.get(table, 0) + 1

    def branch(self, table: str) -> None:
        """Note that a table may have a branch, to which its later writes go: main never has their snapshots."""
        self._branched.add(table)

    def add(self, root: int, table: str, access: TableAccess) -> Iterator[SnapshotUse]:
        """Add the next statement's access to a table.

        Args:
            table: The table's location, or its name if the format has ids and no version numbers.

        Yields:
            The snapshots that it reads and writes, and those of earlier writes that follow from it.
        """
        if access.is_streamed and not access.writes and _is_numbered(table):
            if access.found:  # an old version shows nothing about the newest one
                read = sorted(set(access.found), key=_order)
                yield SnapshotUse(root, table, "read", ",".join(read), "exact")
        elif access.drops or access.may_write:
            for version in access.read_before_write():
                yield from self._confirm(table, [version])
                yield SnapshotUse(root, table, "read", version, "exact")
            for known in (self._current, self._inferred, self._unnamed):
                known.pop(table, None)
        else:
            yield from self._read_and_write(root, table, access)

    def _read_and_write(self, root: int, table: str, access: TableAccess) -> Iterator[SnapshotUse]:
        if access.is_only_late and not access.is_result and not self._current.get(table):
            access.found = []
        created = self._created_version(table, access) if _is_numbered(table) and access.writes else ""
        results = access.found if created and access.is_result else [created]
        read = sorted({version for version in access.found if version not in results}, key=_order)
        if read:
            yield from self._confirm(table, read)
            yield SnapshotUse(root, table, "read", access.base or ",".join(read), "exact")
        self._seen.setdefault(table, set()).update(read)
        versions = (access.base, self._current.get(table, ""), *read)
        self._current[table] = max(versions, key=_order)  # reading an older version does not restore it
        if access.writes:
            yield from self._write(root, table, access, created)

    def _created_version(self, table: str, access: TableAccess) -> str:
        """Return the version loaded after the commit, one more than the changed version; empty if none was loaded."""
        newest = next(reversed(access.found), "")
        if not newest.isdigit():
            return ""
        if access.is_result:
            return access.found[0]
        if newest == access.first and table not in self._current:
            return newest
        before = str(int(newest) - 1)
        if before in {access.base, *access.found[:-1]}:
            return newest
        is_only = len(set(access.found)) == 1 and not access.base
        return newest if is_only and access.is_late and before == self._current.get(table) else ""

    def _confirm_number(self, table: str, found: str, written: SnapshotUse | None) -> Iterator[SnapshotUse]:
        """Compare an earlier write with the version that a later statement loads, of a format with numbers."""
        if written is not None and found == str(int(written.snapshot_id) - 1):
            self.refuted.add(written)  # it changed nothing
            self._current[table] = found
        root = self._unnamed.pop(table, None)
        if root is not None and written is None:
            yield SnapshotUse(root, table, "write", found, "inferred")

    def _confirm(self, table: str, found: list[str]) -> Iterator[SnapshotUse]:
        """Compare an earlier write with the versions that a later statement loads."""
        written = self._inferred.pop(table, None)
        if _is_numbered(table):
            yield from self._confirm_number(table, found[-1], written)
        else:
            yield from self._confirm_id(table, found)

    def _confirm_id(self, table: str, found: list[str]) -> Iterator[SnapshotUse]:
        """Compare an earlier write with the ids that a later statement loads, of a format without numbers."""
        seen = self._seen.get(table, ())
        new = [each for each in found if each not in seen]
        if not new:
            return
        is_consecutive = new[-1].isdigit() and len(new[-1]) < _RANDOM_DIGITS
        root = self._unnamed.pop(table, None)
        if root is None:
            self._unattributed[table] = max(0, self._unattributed.get(table, 0) - len(new))
        elif not seen and self._may_be_older(root, table):
            return
        elif len(new) == 1 and (is_consecutive or self._is_only_write(root, table)):
            yield SnapshotUse(root, table, "write", new[0], "inferred")
        if is_consecutive:
            self._unattributed.pop(table, None)  # a number that was not loaded before is that of the newest snapshot

    def _may_be_older(self, root: int, table: str) -> bool:
        """Return whether the first id that is loaded of a table may be older than a write to a branch."""
        return table.partition(".")[2] in self._branched and root not in self._with_base

    def _is_only_write(self, root: int, table: str) -> bool:
        """Return whether a new id can only be a write's: it names its base, or no other write is without an id."""
        return root in self._with_base or not self._unattributed.get(table)

    def _next_version(self, table: str, access: TableAccess) -> str:
        base = self._current.get(table, "")
        return str(int(base) + access.commits) if base.isdigit() else access.creates

    def _write(self, root: int, table: str, access: TableAccess, created: str) -> Iterator[SnapshotUse]:
        if not _is_numbered(table):
            self._write_id(root, table, access)
            return
        version = created or self._next_version(table, access)
        if not version:
            self._unnamed[table] = root
            return
        is_named = bool(created) and (access.base or created != access.found[0])
        use = SnapshotUse(root, table, "write", version, "exact" if is_named else "inferred")
        self._current[table] = str(int(version) + 1) if access.is_compacted else version
        self._inferred.pop(table, None)
        if not is_named and not access.is_compacted:
            self._inferred[table] = use
        yield use

    def _write_id(self, root: int, table: str, access: TableAccess) -> None:
        """Note a write whose id only a later statement can show."""
        if self._unnamed.get(table, root) not in {root, *self._created}:  # a loaded id may be that of either write
            self._unattributed[table] = self._unattributed.get(table, 0) + 1
        self._unnamed[table] = root
        if access.is_new:
            self._created.add(root)
        if access.found:
            self._with_base.add(root)


def _is_numbered(table: str) -> bool:
    """Return whether a table's format numbers its versions: these tables are named by location."""
    return "/" in table


def _order(version: str) -> tuple[int, str]:
    """Return a sort key for version numbers; ids have no order."""
    return (int(version), "") if version.isdigit() else (-1, version)
