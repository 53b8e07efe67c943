"""Ways to damage a store that has two versions, each the work of one night."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

DATABASE = "lineage.duckdb"


@dataclass(frozen=True, slots=True)
class Way:
    """A way to damage a store.

    Attributes:
        name: What is done, in a few words.
        damage: Does it to a store's folder.
        nights: How many nights the store has after `restore`; 0 where no version is left to go back to.
        by_user: Whether it works on files of a user without special rights only.
    """

    name: str
    damage: Callable[[Path], object]
    nights: int
    by_user: bool = False


def ways() -> tuple[Way, ...]:
    """Return all ways, each on its own."""
    return tuple(way for kind in kinds() for way in kind)


def kinds() -> tuple[tuple[Way, ...], ...]:
    """Return the ways by what they damage: links, folders of versions, databases and so on."""
    return (_LINKS, _FOLDERS, _DATABASES, _PARQUET, _RUNS, _LISTS, _COPIES, _RIGHTS)


def _newest(store: Path) -> Path:
    return store / ".versions" / "2"


def _older(store: Path) -> Path:
    return store / ".versions" / "1"


def _database(store: Path) -> Path:
    return _newest(store) / DATABASE


def _parquet(store: Path) -> Path:
    """A file of the newest version only."""
    return _newest(store) / "column_lineage" / "part-2.parquet"


def _shared(store: Path) -> Path:
    """A file of the newest version of which the other one has a copy."""
    return next((_newest(store) / "executions" / "started_on=2026-11-18").iterdir())


def _runs(store: Path, table: str) -> Path:
    """The folder of a table's runs in the newest version."""
    return _newest(store) / "runs" / table


def _run(store: Path, night: int) -> Path:
    """A file that the views of the newest version's database read."""
    return next(_runs(store, "executions").glob(f"2026-11-{17 + night}.*"))


def _internal(store: Path) -> Path:
    """A file of the newest version from which its database can be made."""
    return _newest(store) / "internal" / "lineages" / "part-2.parquet"


def _write(path: Path, content: bytes) -> None:
    """Write a file in its place, so that all links to it have the content."""
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()


def _cut(path: Path, share: float) -> None:
    _write(path, path.read_bytes()[: int(path.stat().st_size * share)])


def _flip(path: Path, share: float) -> None:
    content = bytearray(path.read_bytes())
    content[int((len(content) - 1) * share)] ^= 0x10
    _write(path, bytes(content))


def _replace(path: Path, target: str | Path) -> None:
    """Put a link in the place of whatever there is."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def _replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _follow(link: Path) -> None:
    """Put a copy of what a link leads to in its place."""
    target = link.resolve()
    link.unlink()
    if target.is_dir():
        shutil.copytree(target, link)
    else:
        shutil.copyfile(target, link)


def _skip_links(store: Path) -> None:
    """Leave out all links, as rsync does without -l."""
    for path in store.iterdir():
        if path.is_symlink():
            path.unlink()


def _copy_followed(store: Path, part: str = "", hidden: bool = True) -> None:
    """Put a copy of the store, or of a part of it, with links followed, in the store's place."""
    aside = store.with_name(f"{store.name}-aside")
    store.rename(aside)
    ignored = None if hidden else shutil.ignore_patterns(".*")
    shutil.copytree(aside / part, store, ignore=ignored)
    shutil.rmtree(aside)


def _begin_adoption(store: Path) -> None:
    """Leave a copy of the visible files as a harvest leaves it that is killed while it makes a store of it."""
    _copy_followed(store, hidden=False)
    begun = store / ".versions" / "2.draft"
    begun.mkdir(parents=True)
    for name in ("runs", "executions"):
        shutil.copytree(store / name, begun / name, copy_function=os.link)


def _swap(first: Path, second: Path) -> None:
    contents = first.read_bytes(), second.read_bytes()
    _write(first, contents[1])
    _write(second, contents[0])


def _add_day(file: Path) -> None:
    """Add a day that has another day's rows."""
    shutil.copytree(file.parent, file.parent.with_name("started_on=2020-01-01"))


def _both(store: Path, damage: Callable[[Path], object]) -> None:
    for version in (_newest(store), _older(store)):
        damage(version / DATABASE)


_LINKS = (
    Way("remove the link to the current version", lambda s: (s / ".current").unlink(), 2),
    Way("lead the link to a version that is not there", lambda s: _replace(s / ".current", ".versions/9"), 2),
    Way("lead the link to a folder elsewhere", lambda s: _replace(s / ".current", "/tmp"), 2),
    Way("lead the link to a file", lambda s: _replace(s / ".current", f".versions/2/{DATABASE}"), 2),
    Way("lead the link to itself", lambda s: _replace(s / ".current", ".current"), 2),
    Way("put an empty folder in the link's place", lambda s: _replace_by_folder(s / ".current"), 2),
    Way("put a copy of the version in the link's place", lambda s: _follow(s / ".current"), 2),
    Way("remove the link of the database", lambda s: (s / DATABASE).unlink(), 2),
    Way("remove the link of a table", lambda s: (s / "gaps").unlink(), 2),
    Way("lead the link of a table elsewhere", lambda s: _replace(s / "gaps", "/nowhere"), 2),
    Way("put a copy in the place of a table's link", lambda s: _follow(s / "executions"), 2),
    Way("put a copy in the place of the database's link", lambda s: _follow(s / DATABASE), 2),
    Way("leave all links out, as rsync without -l does", _skip_links, 2),
)

_FOLDERS = (
    Way("remove the newest version", lambda s: shutil.rmtree(_newest(s)), 1),
    Way("empty the newest version", lambda s: (shutil.rmtree(_newest(s)), _newest(s).mkdir()), 1),
    Way("rename the newest version", lambda s: _newest(s).rename(s / ".versions" / "two"), 1),
    Way("put a file in the newest version's place", lambda s: (shutil.rmtree(_newest(s)), _newest(s).touch()), 1),
    Way("add an empty version", lambda s: (s / ".versions" / "3").mkdir(), 2),
    Way("remove the older version's tables", lambda s: shutil.rmtree(_older(s) / "executions"), 2),
    Way("remove all versions", lambda s: shutil.rmtree(s / ".versions"), 0),
    Way("empty the folder of versions", lambda s: [shutil.rmtree(v) for v in (s / ".versions").iterdir()], 0),
    Way(
        "put a file in the place of all versions",
        lambda s: (shutil.rmtree(s / ".versions"), (s / ".versions").touch()),
        0,
    ),
)

_DATABASES = (
    Way("remove the database", lambda s: _database(s).unlink(), 2),
    Way("empty the database", lambda s: _cut(_database(s), 0), 2),
    Way("cut the database to its header", lambda s: _cut(_database(s), 0.001), 2),
    Way("cut the database in the middle", lambda s: _cut(_database(s), 0.5), 2),
    Way("cut the last byte of the database", lambda s: _write(_database(s), _database(s).read_bytes()[:-1]), 2),
    Way("overwrite the database with text", lambda s: _write(_database(s), b"no database" * 1000), 2),
    Way("overwrite the database with zeros", lambda s: _write(_database(s), bytes(_database(s).stat().st_size)), 2),
    Way("flip a bit in the database's first byte", lambda s: _flip(_database(s), 0), 2),
    Way("flip a bit in the database's magic number", lambda s: _flip(_database(s), 9 / _database(s).stat().st_size), 2),
    Way("flip a bit in the database's header", lambda s: _flip(_database(s), 4200 / _database(s).stat().st_size), 2),
    Way("flip a bit early in the database", lambda s: _flip(_database(s), 0.1), 2),
    Way("flip a bit in the middle of the database", lambda s: _flip(_database(s), 0.5), 2),
    Way("flip a bit at the end of the database", lambda s: _flip(_database(s), 1), 2),
    Way("append to the database", lambda s: _write(_database(s), _database(s).read_bytes() + b"more"), 2),
    Way(
        "put the older database in the newer one's place",
        lambda s: shutil.copyfile(_older(s) / DATABASE, _database(s)),
        2,
    ),
    Way("put a folder in the database's place", lambda s: _replace_by_folder(_database(s)), 2),
    Way("put a link to nothing in the database's place", lambda s: _replace(_database(s), "/nowhere"), 2),
    Way("add a damaged write-ahead log", lambda s: Path(f"{_database(s)}.wal").write_bytes(b"no log" * 100), 2),
    Way("remove both databases", lambda s: _both(s, lambda path: path.unlink()), 2),
    Way("flip a bit in both databases", lambda s: _both(s, lambda path: _flip(path, 0.5)), 2),
)

_PARQUET = (
    Way("remove a table's folder", lambda s: shutil.rmtree(_newest(s) / "column_lineage"), 2),
    Way("remove a Parquet file", lambda s: _parquet(s).unlink(), 2),
    Way("remove a Parquet file that both versions share, in one", lambda s: _shared(s).unlink(), 2),
    Way("empty a Parquet file", lambda s: _cut(_parquet(s), 0), 2),
    Way("cut a Parquet file", lambda s: _cut(_parquet(s), 0.7), 2),
    Way("flip a bit in a Parquet file's rows", lambda s: _flip(_parquet(s), 0.1), 2),
    Way("flip a bit in a Parquet file's footer", lambda s: _flip(_parquet(s), 0.9), 2),
    Way("flip a bit in a Parquet file that both versions share", lambda s: _flip(_shared(s), 0.3), 2),
    Way("cut a Parquet file that both versions share", lambda s: _cut(_shared(s), 0.3), 2),
    Way("overwrite a Parquet file, at its size", lambda s: _write(_parquet(s), b"x" * _parquet(s).stat().st_size), 2),
    Way("swap two Parquet files", lambda s: _swap(_parquet(s), _newest(s) / "datasets" / "part-2.parquet"), 2),
    Way("add a Parquet file", lambda s: shutil.copy(_parquet(s), _parquet(s).with_name("part-9.parquet")), 2),
    Way("put a folder in a Parquet file's place", lambda s: _replace_by_folder(_parquet(s)), 2),
    Way("put a pipe in a Parquet file's place", lambda s: (_parquet(s).unlink(), os.mkfifo(_parquet(s))), 2),
    Way("put a link to nothing in a table's place", lambda s: _replace(_newest(s) / "datasets", "/nowhere"), 2),
    Way("add a day", lambda s: _add_day(_shared(s)), 2),
    Way("add a file to a version", lambda s: (_newest(s) / "notes.txt").write_text("of mine"), 2),
    Way("add a file whose name is not UTF-8", lambda s: Path(os.fsdecode(bytes(_newest(s)) + b"/\xff\n")).touch(), 2),
)

_RUNS = (
    Way("flip a bit in the runs of the last night", lambda s: _flip(_run(s, 2), 0.3), 2),
    Way("flip a bit in the runs of an earlier night", lambda s: _flip(_run(s, 1), 0.3), 2),
    Way("cut the runs of the last night", lambda s: _cut(_run(s, 2), 0.5), 2),
    Way("remove a file of the runs of the last night", lambda s: _run(s, 2).unlink(), 2),
    Way("remove a file of the runs of an earlier night", lambda s: _run(s, 1).unlink(), 2),
    Way(
        "empty the folder of a table's runs", lambda s: [file.unlink() for file in _runs(s, "executions").iterdir()], 2
    ),
    Way("remove the folder of a table's runs", lambda s: shutil.rmtree(_runs(s, "applications")), 2),
    Way("remove the runs of both nights", lambda s: shutil.rmtree(_newest(s) / "runs" / "executions"), 2),
    Way("remove the link of the runs", lambda s: (s / "runs").unlink(), 2),
    Way("flip a bit in an internal table's file", lambda s: _flip(_internal(s), 0.3), 2),
    Way("remove the internal tables", lambda s: shutil.rmtree(_newest(s) / "internal"), 2),
    Way(
        "flip a bit in the database and in an internal table's file",
        lambda s: (_flip(_database(s), 0.5), _flip(_internal(s), 0.3)),
        1,
    ),
    Way("flip a bit in the database and in the runs", lambda s: (_flip(_database(s), 0.5), _flip(_run(s, 1), 0.3)), 2),
)

_LISTS = (
    Way("remove the list of files", lambda s: (_newest(s) / ".manifest.json").unlink(), 2),
    Way("empty the list of files", lambda s: _cut(_newest(s) / ".manifest.json", 0), 2),
    Way("cut the list of files", lambda s: _cut(_newest(s) / ".manifest.json", 0.5), 2),
    Way("flip a bit in the list of files", lambda s: _flip(_newest(s) / ".manifest.json", 0.5), 2),
    Way("put other JSON in the list's place", lambda s: _write(_newest(s) / ".manifest.json", b"[1, 2]"), 2),
    Way(
        "put the older list in the newer one's place",
        lambda s: shutil.copyfile(_older(s) / ".manifest.json", _newest(s) / ".manifest.json"),
        2,
    ),
)

_COPIES = (
    Way("copy the store with links followed", _copy_followed, 2),
    Way("copy a version with links followed", lambda s: _copy_followed(s, ".current"), 2),
    Way("copy a version without hidden files", lambda s: _copy_followed(s, ".current", hidden=False), 2),
    Way("copy the store without hidden files", lambda s: _copy_followed(s, hidden=False), 2),
    Way(
        "copy the store without hidden files and without its database",
        lambda s: (_copy_followed(s, hidden=False), (s / DATABASE).unlink()),
        2,
    ),
    Way(
        "copy the store without hidden files, with a flipped bit in the database",
        lambda s: (_copy_followed(s, hidden=False), _flip(s / DATABASE, 0.5)),
        2,
    ),
    Way("kill the harvest that makes a store of a copy", _begin_adoption, 2),
)

_RIGHTS = (
    Way("take the rights to the database", lambda s: _database(s).chmod(0), 2, by_user=True),
    Way("take the rights to a Parquet file", lambda s: _parquet(s).chmod(0), 2, by_user=True),
    Way("take the rights to the runs", lambda s: (_newest(s) / "runs").chmod(0), 2, by_user=True),
    Way("take the rights to a table", lambda s: (_newest(s) / "executions").chmod(0), 2, by_user=True),
    Way("take the rights to the newest version", lambda s: _newest(s).chmod(0), 1, by_user=True),
    Way("take the rights to all versions", lambda s: (s / ".versions").chmod(0), 0, by_user=True),
)
