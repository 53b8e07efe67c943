"""Measure the structure of the code base, before and after: the table of `docs/architecture.md`.

    git worktree add /tmp/before v0.1.0
    python benchmarks/structure.py --before /tmp/before --history .

Each measure counts names, imports or files by Python's own parser, in the same way for both trees. What a
new table format cost before is counted in the history of `--history`. That a new column of edges is spelled in three
modules is a test (`tests/store/schema/test_new_edge_column.py`).
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from eventlog_lineage.extensions import commands

FORMATS = ("delta", "hudi", "hoodie", "iceberg", "lance", "paimon", "tahoe")
_FORMAT = re.compile("|".join(f"(?<![a-z]){word}|{word.capitalize()}|{word.upper()}" for word in FORMATS))
_SPARKS_OWN = ("WriteDelta", r"delta_\d+")
"""Spark's operator, and the folders of Hive's ACID tables."""

_FIRST_COMMIT = "649f16e"
"""The commit that brought Paimon to the code base before; a format is a package since."""

_CATALOG_EVENTS = ("events/decode_sql.py", "events/decoding/decoders.py")
"""Modules that spell catalog events, which have names of commands: `CreateTableEvent` without `Event`."""

_RECORDS_OF_SCANS = {"scans", "scanned"}
_ATTRIBUTE_ID = re.compile(r"(?<!id=)#(?:\(|\[)*\\d|#\(\?P<\w+>\\d|(?<!id=)#\[0-9\]")


@dataclass(frozen=True)
class Module:
    """One module: its path below the package, its tree."""

    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path below the package, with slashes."""
        return self.path.as_posix()

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """The string literals and identifiers, docstrings left out, each once."""
        docs = {id(node.value) for node in self.nodes if isinstance(node, ast.Expr)}
        fields = (field for node in self.nodes if id(node) not in docs for field in ast.iter_fields(node))
        return tuple({str(value): None for name, value in fields if name != "kind" and isinstance(value, str | bytes)})

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The string literals, docstrings left out, each once."""
        docs = {id(node.value) for node in self.nodes if isinstance(node, ast.Expr)}
        found = (node.value for node in self.nodes if isinstance(node, ast.Constant) and id(node) not in docs)
        return tuple({value: None for value in found if isinstance(value, str)})


Modules = list[Module]


def read(root: Path) -> Modules:
    """Read all modules of the package below a checkout."""
    package = root / "src" / "eventlog_lineage"
    return [Module(path.relative_to(package), ast.parse(path.read_text())) for path in sorted(package.rglob("*.py"))]


def naming_formats(modules: Modules) -> list[str]:
    """General modules that name a format in code; what is dedicated to one by its file name is not general."""

    def named(module: Module) -> bool:
        return any(_FORMAT.search(_without_sparks_own(text)) for text in module.strings)

    return [each.name for each in modules if not _FORMAT.search(each.name) and named(each)
            and not each.name.startswith("formats/")]  # fmt: skip


def _without_sparks_own(text: str) -> str:
    for own in _SPARKS_OWN:
        text = text.replace(own, "")
    return text


def spelling_commands(modules: Modules) -> list[str]:
    """Modules other than rules, formats and the catalogue that spell a command's name."""
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, commands()))})\b")
    spelling = ("operators/rules/", "formats/", "operators/commands.py", *_CATALOG_EVENTS)
    return [each.name for each in modules if not each.name.startswith(spelling)
            and any(names.search(text) for text in each.literals)]  # fmt: skip


def orchestrator_imports(modules: Modules) -> list[str]:
    """Modules of the package that the one with the tracer's order of work imports."""
    for name in ("lineage/passes.py", "lineage/statements.py"):
        for module in modules:
            if module.name == name:
                return [f"{node.module}" for node in module.nodes if isinstance(node, ast.ImportFrom)
                        and (node.level or (node.module or "").startswith("eventlog_lineage"))]  # fmt: skip
    raise SystemExit("no tracer found")


def section_calls(modules: Modules) -> list[str]:
    """Calls that cut a plan text into its sections."""
    return [each.name for each in modules for node in each.nodes if isinstance(node, ast.Call)
            and getattr(node.func, "id", getattr(node.func, "attr", "")) in {"sections", "split_sections"}]  # fmt: skip


def records_of_scans(modules: Modules) -> list[str]:
    """Classes with a field for "the job of this statement scanned X"."""
    return [f"{each.name}:{node.name}" for each in modules for node in each.nodes
            if isinstance(node, ast.ClassDef) and _fields(node) & _RECORDS_OF_SCANS]  # fmt: skip


def _fields(node: ast.ClassDef) -> set[str]:
    annotated = {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)
                 and isinstance(each.target, ast.Name)}  # fmt: skip
    own = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)}
    return annotated | own


def attribute_patterns(modules: Modules) -> list[str]:
    """Modules with a regular expression that spells an attribute id, formats' packages left out."""
    return [each.name for each in modules if not each.name.startswith("formats/")
            and any(_ATTRIBUTE_ID.search(text) for text in each.strings)]  # fmt: skip


def duplicate_names(modules: Modules) -> list[str]:
    """File names that two packages have; a format's package repeats the names of the others' by design."""
    general = (each.path.name for each in modules if not each.name.startswith("formats/"))
    counts = Counter(name for name in general if not name.startswith("__"))
    return [name for name, count in counts.items() if count > 1]


def largest_folder(modules: Modules) -> list[str]:
    """The modules of the folder that has most."""
    folders: dict[Path, list[str]] = {}
    for each in modules:
        if not each.path.name.startswith("__"):
            folders.setdefault(each.path.parent, []).append(each.name)
    return max(folders.values(), key=len)


MEASURES: tuple[tuple[str, str, Callable[[Modules], list[str]]], ...] = (
    ("general modules that name a table format", "<= 5", naming_formats),
    ("modules outside the catalogue, rules and formats that spell a command", "0", spelling_commands),
    ("imports of the module that orders the tracer", "<= 12", orchestrator_imports),
    ("calls that cut a plan text into sections", "1", section_calls),
    ('records with a field for "the job scanned X"', "<= 6", records_of_scans),
    ("modules in the largest folder", "<= 16", largest_folder),
    ("modules that spell the pattern of an attribute id, outside formats", "1", attribute_patterns),
    ("file names that exist twice, outside formats", "<= 6", duplicate_names),
)


def format_files(repository: Path) -> tuple[int, int]:
    """Source files of a new format: of Paimon's first commit before, of Lance's package after."""
    command = ["git", "-C", str(repository), "show", "--name-only", "--format=", _FIRST_COMMIT, "--", "src"]
    before = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return len(before), len(list((repository / "src/eventlog_lineage/formats/lance").glob("*.py")))


def recipes(root: Path) -> int:
    """Recipes in CONTRIBUTING that show a diff."""
    sections = re.split(r"^## ", (root / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE)
    return sum(each.startswith("How to add") and "```diff" in each for each in sections)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the version to compare with")
    parser.add_argument("--after", type=Path, default=Path(), help="a checkout (default: this one)")
    parser.add_argument("--history", type=Path, help="a repository with both versions' commits")
    parser.add_argument("--list", action="store_true", help="list what is counted")
    arguments = parser.parse_args()
    before, after = read(arguments.before), read(arguments.after)
    print("| measure | before | after | target |\n|---|---|---|---|")
    if arguments.history:
        old_files, new_files = format_files(arguments.history)
        print(f"| source files of a new format (Paimon before, Lance after) | {old_files} | {new_files} | <= 4 |")
    for name, target, measure in MEASURES:
        old, new = measure(before), measure(after)
        print(f"| {name} | {len(old)} | {len(new)} | {target} |")
        if arguments.list:
            print(*(f"    before {each}" for each in old), *(f"    after {each}" for each in new), sep="\n")
    print(f"| recipes with a diff in CONTRIBUTING | {recipes(arguments.before)} | {recipes(arguments.after)} | 6 |")


if __name__ == "__main__":
    main()
