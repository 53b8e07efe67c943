"""Measure the structure of the code base: the table of `docs/architecture.md`.

    python benchmarks/structure.py                      # this checkout, next to the ceilings
    python benchmarks/structure.py --root CHECKOUT      # another one
    python benchmarks/structure.py --list MEASURE       # what a measure counts
    python benchmarks/structure.py --lower              # lower the ceilings to what this checkout has
    python benchmarks/structure.py --accept             # set them, after a round that added features

Lower is better for every measure. `structure_ceilings.json` has the ceilings; `tests/test_structure.py` compares.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CEILINGS = Path(__file__).with_name("structure_ceilings.json")

PACKAGE = "eventlog_lineage"
CORE = ("plan", "operators", "lineage", "formats", "catalog")
GRAMMAR = "plan/grammar/"
SPLITTERS = frozenset(("split_items", "split_named", "split_functions", "best_items", "escape_items", "merge_unnamed"))
RECORDS = ("Command", "TableFormat", "StatementContext")
_WORDS = re.compile(r"\S+")
_COST = re.compile(r"^_?(?:[A-Z]+_)*COSTS?(?:_[A-Z]+)*$|(?:^|_)costs?$|Costs?$")
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)


@dataclass(frozen=True)
class Module:
    """One module: its path below the package, its text."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """The path below the package, with slashes."""
        return self.path.as_posix()

    @property
    def dotted(self) -> str:
        """The name in imports, `plan.nodes`; that of a package for its `__init__`."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text)

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
    def docstring_lines(self) -> frozenset[int]:
        """The lines of docstrings, those after assignments included."""
        found: set[int] = set()
        for node in self.nodes:
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return frozenset(found)

    @cached_property
    def code_lines(self) -> int:
        """The lines with code: no docstrings, comments, blank lines."""
        lines = enumerate(self.text.splitlines(), 1)
        code = (line.strip() for number, line in lines if number not in self.docstring_lines)
        return sum(bool(line) and not line.startswith("#") for line in code)

    @cached_property
    def complexities(self) -> tuple[tuple[str, int], ...]:
        """The functions and their cyclomatic complexity."""
        functions = (node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        return tuple((node.name, complexity(node)) for node in functions)

    @cached_property
    def all_imports(self) -> tuple[str, ...]:
        """The full dotted names that the module imports, at its top or inside functions."""
        package = (PACKAGE, *self.path.parent.parts)
        found: list[str] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found.extend(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                module = ".".join((*base, *filter(None, [node.module])))
                found.extend(f"{module}.{alias.name}" for alias in node.names)
        return tuple(found)

    @property
    def imports(self) -> Iterator[str]:
        """The dotted names that the module imports from the package."""
        own = f"{PACKAGE}."
        return (name.removeprefix(own) for name in self.all_imports if name.startswith(own))


Modules = list[Module]
Found = list[str]
"""What a measure counts, one entry each."""


def read(root: Path) -> Modules:
    """Read all modules of the package below a checkout."""
    package = root / "src" / PACKAGE
    return [
        Module(path.relative_to(package), path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))
    ]


def import_graph(modules: Modules) -> dict[str, set[str]]:
    """Return each module's imports of other modules; packages' `__init__` are left out."""
    names = {each.dotted for each in modules if each.path.stem != "__init__"}
    graph = {}
    for each in modules:
        if each.path.stem != "__init__":
            found = {name if name in names else name.rpartition(".")[0] for name in each.imports}
            graph[each.dotted] = (found & names) - {each.dotted}
    return graph


def circles(graph: dict[str, set[str]]) -> list[frozenset[str]]:
    """Return the groups of modules that import one another."""
    reached = {name: _reachable(graph, name) for name in graph}
    found = {frozenset(other for other in reached[name] if name in reached[other]) | {name} for name in graph}
    return [group for group in found if len(group) > 1]


def _reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    stack = [start]
    while stack:
        for name in graph[stack.pop()] - seen:
            seen.add(name)
            stack.append(name)
    return seen


def one_importer(modules: Modules) -> Found:
    """Modules that exactly one other module imports."""
    importers = Counter(name for found in import_graph(modules).values() for name in found)
    return sorted(name for name, count in importers.items() if count == 1)


def longest_chain(modules: Modules) -> Found:
    """The modules of the longest chain of imports; a circle is walked once."""
    graph = import_graph(modules)
    best: dict[str, list[str]] = {}

    def chain(name: str, above: frozenset[str]) -> list[str]:
        if name not in best:
            below = (chain(each, above | {name}) for each in sorted(graph[name] - above))
            best[name] = [name, *max(below, key=len, default=[])]
        return best[name]

    return max((chain(name, frozenset()) for name in sorted(graph)), key=len)


def patterns(modules: Modules) -> Found:
    """Calls of the `re` module."""
    return [f"{each.name}:{node.lineno}" for each in modules for node in each.nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "re"]  # fmt: skip


def _called(node: ast.AST) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""


def splitter_calls(modules: Modules) -> Found:
    """Calls of functions that split a list's text, outside the grammar."""
    return [f"{each.name}:{node.lineno}" for each in modules if not each.name.startswith(GRAMMAR)
            for node in each.nodes if isinstance(node, ast.Call) and _called(node) in SPLITTERS]  # fmt: skip


def unescaping(modules: Modules) -> Found:
    """Modules that call `unescaped`."""
    return [each.name for each in modules if any(_called(node) == "unescaped" for node in each.nodes)]


def complexity(function: ast.AST) -> int:
    """Return the cyclomatic complexity of a function; conditions in expressions and comprehensions count."""
    count = 1
    for node in _own_nodes(function):
        if isinstance(node, _BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))


def complex_functions(most: int) -> Callable[[Modules], Found]:
    """Return the measure of the functions that are more complex than `most`."""

    def measure(modules: Modules) -> Found:
        found = ((count, f"{each.name}:{name}") for each in modules for name, count in each.complexities)
        return [f"{name} {count}" for count, name in sorted(found, reverse=True) if count > most]

    return measure


def cost_modules(modules: Modules) -> Found:
    """Modules of the plan package that define costs of readings."""

    def defines(node: ast.AST) -> bool:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            return _COST.search(node.name) is not None
        return False

    return [each.name for each in modules if each.name.startswith("plan/") and any(map(defines, each.nodes))]


def record_fields(record: str) -> Callable[[Modules], Found]:
    """Return the measure of the fields of a class."""

    def measure(modules: Modules) -> Found:
        return [each.target.id for module in modules for node in module.nodes
                if isinstance(node, ast.ClassDef) and node.name == record for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]  # fmt: skip

    return measure


def import_circles(modules: Modules) -> Found:
    """Groups of modules that import one another."""
    return [" ".join(sorted(group)) for group in circles(import_graph(modules))]


def arrows_up(modules: Modules) -> Found:
    """Pairs of a package's direct parts that import each other: the rarer direction is an arrow up."""
    found: dict[tuple[str, str, str], int] = defaultdict(int)
    for name, imported in import_graph(modules).items():
        for other in imported:
            own, its = name.split("."), other.split(".")
            if own[0] == its[0] and len(own) > 1 and len(its) > 1 and own[1] != its[1]:
                found[own[0], own[1], its[1]] += 1
    return [f"{package}: {one} <-> {two}" for package, one, two in found if one < two and (package, two, one) in found]


def docstring_share(modules: Modules) -> float:
    """Return the lines of docstrings for each line of code."""
    return round(sum(len(each.docstring_lines) for each in modules) / code_lines(modules), 3)


def code_lines(modules: Modules) -> int:
    """Return the lines of code."""
    return sum(each.code_lines for each in modules)


def core(modules: Modules) -> Modules:
    """Return the modules from plan text to lineage."""
    return [each for each in modules if each.name.startswith(tuple(f"{package}/" for package in CORE))]


def script_lines(root: Path) -> int:
    """Return the lines of code in `scripts/`."""
    paths = sorted((root / "scripts").rglob("*.py"))
    return code_lines([Module(path, path.read_text(encoding="utf-8")) for path in paths])


def words(root: Path) -> int:
    """Return the words in `docs/` and in the pages at the top."""
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    return sum(len(_WORDS.findall(page.read_text(encoding="utf-8"))) for page in pages)


LISTED: dict[str, Callable[[Modules], Found]] = {
    "modules": lambda modules: [each.name for each in modules],
    "modules with one importer": one_importer,
    "longest import chain": longest_chain,
    "regular expressions": patterns,
    "calls of list splitters outside the grammar": splitter_calls,
    "modules that unescape": unescaping,
    "functions with complexity > 15": complex_functions(15),
    "functions with complexity > 10": complex_functions(10),
    "modules with costs of readings": cost_modules,
    **{f"fields of {record}": record_fields(record) for record in RECORDS},
    "import circles": import_circles,
    "arrows up inside a package": arrows_up,
}
"""Measures that count things; `--list` prints them."""


def measure(root: Path) -> dict[str, float]:
    """Return the name of each measure with its value in a checkout."""
    modules = read(root)
    return {
        "code lines in src": code_lines(modules),
        "code lines from plan text to lineage": code_lines(core(modules)),
        "lines in src": sum(len(each.text.splitlines()) for each in modules),
        **{name: len(found(modules)) for name, found in LISTED.items()},
        "docstring lines per code line": docstring_share(modules),
        "code lines in scripts": script_lines(root),
        "words in docs": words(root),
    }


def ceilings() -> dict[str, float]:
    """Return the committed ceilings."""
    found: dict[str, float] = json.loads(CEILINGS.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    parser.add_argument("--list", choices=LISTED, metavar="MEASURE", help="list what a measure counts")
    parser.add_argument("--lower", action="store_true", help="lower the ceilings to this checkout's values")
    parser.add_argument("--accept", action="store_true", help="set the ceilings to this checkout's values")
    arguments = parser.parse_args()
    if arguments.list:
        print(*LISTED[arguments.list](read(arguments.root)), sep="\n")
        return
    found = measure(arguments.root)
    if arguments.lower or arguments.accept:
        known = {} if arguments.accept else ceilings()
        lowest = {name: min(value, known.get(name, value)) for name, value in found.items()}
        CEILINGS.write_text(f"{json.dumps(lowest, indent=2)}\n", encoding="utf-8")
    known = ceilings()
    print("| measure | now | at most |\n|---|---|---|")
    for name, value in found.items():
        print(f"| {name} | {value} | {known.get(name, '')} |")


if __name__ == "__main__":
    main()
