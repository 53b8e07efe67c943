"""Runs the steps of the Dockerfile without Docker: packages, variables and entry point, in a clean environment.

    python scripts/try_dockerfile.py [--keep FOLDER]

Builds the wheel, makes a virtual environment, installs what the Dockerfile's `pip install` names (from PyPI), sets its
variables with `/data` in a folder of their own, and runs the entry point: its default command, `--version`, `doctor`,
a harvest of the sample logs, and a question. Java is this machine's: that Debian has the packages of `apt-get install`
is checked with `apt-cache` where there is one. The exit code is 0 if every step works.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run the steps and print what each does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="a folder to work in, which stays")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return run_steps(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")), folder)


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with their arguments, lines joined and comments left out."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines() if line.strip()]


def run_steps(steps: list[tuple[str, str]], folder: Path) -> int:
    """Run the steps in a folder that stands for the image's root."""
    dist, data = folder / "dist", folder / "data"
    data.mkdir(exist_ok=True)
    call([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(dist), str(ROOT)])
    (wheel,) = dist.glob("*.whl")
    print(f"built {wheel.name}")
    python = folder / "venv" / "bin"
    venv.create(folder / "venv", with_pip=True)
    variables: dict[str, str] = {}
    entry: list[str] = []
    default: list[str] = []
    for name, rest in steps:
        if name == "RUN" and "apt-get install" in rest:
            check_packages(rest)
        elif name == "RUN" and "pip install" in rest:
            extras = re.search(r"\[([\w,]+)\]", rest)
            call([str(python / "pip"), "install", "--quiet", f"{wheel}[{extras[1] if extras else ''}]"])
            print(f"installed with the extras {extras[1] if extras else 'none'}")
        elif name == "ENV":
            pairs = (pair.split("=", 1) for pair in shlex.split(rest))
            variables |= {key: value.replace("/data", str(data)) for key, value in pairs}
        elif name == "ENTRYPOINT":
            entry = json.loads(rest)
        elif name == "CMD":
            default = json.loads(rest)
    program = [str(python / entry[0]), *entry[1:]]
    environment = {**without_python(os.environ), **variables, "PATH": f"{python}:{os.environ['PATH']}"}
    logs = str(ROOT / "tests" / "sample_logs")
    for words in (default, ["--version"], ["doctor", logs], ["harvest", logs], ["jobs", "--format", "jsonl"]):
        printed = call([*program, *words], environment, data)
        print(f"$ {entry[0]} {' '.join(words)}\n{printed.splitlines()[0] if printed else ''}")
    return 0


def check_packages(rest: str) -> None:
    """Check that Debian has the packages that a step installs."""
    words = re.split(r"\s&&\s", rest[rest.index("apt-get install") :])[0].split()[2:]
    packages = [word for word in words if not word.startswith("-")]
    if shutil.which("apt-cache"):
        for package in packages:
            call(["apt-cache", "show", "--no-all-versions", package])
    print(f"Debian has {', '.join(packages)}")


def without_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without what leads to another Python or Spark."""
    left = ("PYTHON", "PYSPARK", "SPARK_", "VIRTUAL_ENV", "EVENTLOG_LINEAGE")
    return {name: value for name, value in environment.items() if not name.startswith(left)}


def call(words: list[str], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> str:
    """Run a program and return what it prints; end with its errors if it fails."""
    ran = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(words)}: exit code {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
