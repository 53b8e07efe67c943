"""Builds the wheel and the source archive, checks both as PyPI does, and runs what a clean environment installs.

    python scripts/try_release.py [--out FOLDER] [--without-install]

Builds with `build`, checks the metadata with `twine check --strict`, looks into the archives (types, SQL, the page, the
licence; no tests and no caches), installs the wheel in a clean virtual environment and runs its commands. `build` and
`twine` come from PyPI, into an environment of their own. The exit code is 0 if all is as it should be.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

NEEDED = ("py.typed", "store/sql/views/views.sql", "store/panels/panels.toml", "cli/commands/harvest.py")
"""Files of the package that the wheel must have."""

UNWANTED = ("tests/", "__pycache__", ".venv", "benchmarks/", ".demo")
"""What neither archive may have."""


def main() -> int:
    """Build, check and try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where the archives go, for an upload")
    parser.add_argument("--without-install", action="store_true", help="do not install the wheel in an environment")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        out = arguments.out or Path(temporary, "dist")
        tools = Path(temporary, "tools")
        venv.create(tools, with_pip=True)
        call(tools / "bin" / "pip", "install", "--quiet", "build", "twine")
        call(tools / "bin" / "python", "-m", "build", "--outdir", out, ROOT)
        (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
        print(call(tools / "bin" / "twine", "check", "--strict", wheel, source).strip())
        version = check_wheel(wheel)
        check_source(source, version)
        if not arguments.without_install:
            try_wheel(wheel, Path(temporary, "clean"), version)
    print(f"{wheel.name} and {source.name} are ready")
    return 0


def check_wheel(wheel: Path) -> str:
    """Check the files and the metadata of the wheel; return its version."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        fields = Parser().parsestr(archive.read(metadata).decode())
    expect(all(f"eventlog_lineage/{name}" in names for name in NEEDED), f"{wheel.name} lacks one of {NEEDED}")
    check_names(wheel, names)
    expect("Typing :: Typed" in (fields.get_all("Classifier") or []), "the classifier Typing :: Typed is missing")
    expect(len(fields.get_all("Project-URL") or []) >= 4, "the URLs are missing")
    expect(any("licenses/LICENSE" in name for name in names), "the licence is missing")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    expect(f"\n## {fields['Version']}" in changelog, f"CHANGELOG.md has no section {fields['Version']}")
    return str(fields["Version"])


def check_source(source: Path, version: str) -> None:
    """Check the files of the source archive."""
    with tarfile.open(source) as archive:
        names = [name.removeprefix(f"eventlog_lineage-{version}/") for name in archive.getnames()]
    expect({"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= set(names), f"{source.name} lacks a page")
    check_names(source, names)


def check_names(path: Path, names: list[str]) -> None:
    """Check that an archive has no file that belongs to the repository only."""
    wrong = [name for name in names if any(part in name for part in UNWANTED)]
    expect(not wrong, f"{path.name} has {wrong[:3]}")


def try_wheel(wheel: Path, folder: Path, version: str) -> None:
    """Install the wheel in a clean environment and run it."""
    venv.create(folder, with_pip=True)
    call(folder / "bin" / "pip", "install", "--quiet", wheel)
    program = folder / "bin" / "eventlog-lineage"
    expect(version in call(program, "--version"), "the program is of another version")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not is_large(path))
    expect(size < 80_000_000, f"what asks without Spark takes {size / 1e6:.0f} MB besides DuckDB and pyarrow")
    call(program, "explain", ROOT / "tests" / "sample_logs" / "nightly-sales-3-5.zstd", folder=folder)
    call(folder / "bin" / "pip", "install", "--quiet", f"{wheel}[spark]")
    call(program, "harvest", ROOT / "tests" / "sample_logs", "--store", folder / "store", folder=folder)
    printed = call(program, "upstream", "sales.daily_sales.revenue", "--store", folder / "store", folder=folder)
    expect("orders" in printed, "the program's answer is wrong")
    call(folder / "bin" / "pip", "uninstall", "--quiet", "--yes", "pyspark", "py4j")
    call(program, "report", "--store", folder / "store", "--out", folder / "page.html", folder=folder)
    call(folder / "bin" / "python", "-c", "import eventlog_lineage as el; el.open_store; el.harvest; el.explain")


def is_large(path: Path) -> bool:
    """Return whether a file belongs to pip, DuckDB or pyarrow."""
    return any(word in str(path) for word in ("/pip", "/setuptools", "duckdb", "pyarrow"))


def expect(good: bool, message: str) -> None:
    """End with a message if something is not as it should be."""
    if not good:
        sys.exit(message)


def call(*words: object, folder: Path | None = None) -> str:
    """Run a program and return what it prints; end with its errors if it fails."""
    ran = subprocess.run([*map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit code {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
