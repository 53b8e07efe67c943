"""Builds the image of the Dockerfile and runs it as its user: `doctor`, a harvest of the sample logs, a question.

    apt-get install buildah mmdebstrap
    python scripts/try_dockerfile.py [--base IMAGE]

Needs Linux and root, no daemon: `buildah` builds and runs with chroot. The base image is `--base`, or, as registries of
images are not reachable everywhere, one of the same Debian and Python made of Debian's packages, with this machine's
certificates. The exit code is 0 if every step works, and 75 (`EX_TEMPFAIL`) if this machine cannot make the base.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "sample_logs"
PROGRAMS = ("buildah", "mmdebstrap")
WHEELS = "/wheels"
OWNER = 10001
"""The user of the Dockerfile, who must own what is mounted at `/data`."""


def main() -> int:
    """Build and run, and print what each step does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", help="the base image, from a registry")
    arguments = parser.parse_args()
    if os.getuid() or not all(map(shutil.which, PROGRAMS)):
        sys.exit(f"needs root, and {' and '.join(PROGRAMS)}: apt-get install {' '.join(PROGRAMS)}")
    with tempfile.TemporaryDirectory(prefix="image-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        os.environ["TMPDIR"] = folder  # a file system of memory may allow neither devices nor programs
        try:
            base = arguments.base or make_base(Path(folder))
            build_and_run(Path(folder), base)
        finally:
            subprocess.run([*buildah(Path(folder)), "rm", "--all"], stdout=subprocess.DEVNULL, check=False)
    return 0


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with their arguments, lines joined and comments left out."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines() if line.strip()]


def build_and_run(folder: Path, base: str) -> None:
    """Build the image in a folder, which has the images, too, on a base image, and run its commands."""
    context, data = folder / "context", folder / "data"
    context.mkdir()
    shutil.copy(ROOT / "Dockerfile", context)
    call(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(context / "dist"), str(ROOT)]
    )
    wheels = f"--volume={spark_wheel(folder)}:{WHEELS}:ro"
    build = [*buildah(folder), "build", "--isolation=chroot", "--layers=false", "--tag=tried", wheels]
    call([*build, "--from", base, str(context)])
    config = json.loads(call([*buildah(folder), "inspect", "--type=image", "tried"]))["OCIv1"]["config"]
    data.mkdir()
    os.chown(data, OWNER, OWNER)
    container = call([*buildah(folder), "from", "tried"]).strip()
    volumes = [f"--volume={LOGS}:/logs:ro", f"--volume={data}:/data"]
    run = [*buildah(folder), "run", "--isolation=chroot", "--hostname=localhost", *volumes, container, "--"]
    for words in (config["Cmd"], ["--version"], ["doctor", "/logs"], ["harvest", "/logs"], ["jobs", "--format=jsonl"]):
        printed = call([*run, *config["Entrypoint"], *words])
        print(f"$ {' '.join(words)}\n{printed.splitlines()[0] if printed else ''}", flush=True)
    (version,) = (data / "lineage").glob(".versions/*")
    if version.stat().st_uid != OWNER:
        sys.exit(f"{version} belongs to user {version.stat().st_uid}, not to the image's {OWNER}")


def spark_wheel(folder: Path) -> Path:
    """Return a folder with the wheel of this environment's PySpark, which pip keeps: it takes a minute to make."""
    wheels = folder / "wheels"
    spark = f"pyspark=={metadata.version('pyspark')}"
    call([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), spark])
    return wheels


def make_base(folder: Path) -> str:
    """Return an image with the Debian and the Python of the Dockerfile's base, `python:3.11-slim-bookworm`."""
    name = dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))["FROM"]
    stated = re.fullmatch(r"python:([\d.]+)-slim-(\w+)", name)
    if stated is None:
        sys.exit(f"{name} is no image of Python on Debian: name it by --base")
    root = folder / "root.tar"
    try:
        packages = "--include=ca-certificates,python3,python3-pip"
        call(["mmdebstrap", "--quiet", "--variant=apt", "--dpkgopt=force-unsafe-io", packages, stated[2], str(root)])
        container = call([*buildah(folder), "from", "scratch"]).strip()
        call([*buildah(folder), "add", container, str(root), "/"])
        root.unlink()
        call([*buildah(folder), "add", container, "/etc/ssl/certs", "/etc/ssl/certs"])
        run = [*buildah(folder), "run", "--isolation=chroot", container, "--", "sh", "-ec"]
        call([*run, "ln -s /usr/bin/python3 /usr/local/bin/python; rm -f /usr/lib/python3*/EXTERNALLY-MANAGED"])
        call([*run, "pip config --global set global.cert /etc/ssl/certs/ca-certificates.crt"])
        call([*run, f"pip config --global set global.find-links {WHEELS}"])
        found = call([*run, "python --version"]).split()[1]
    except SystemExit as refused:
        print(refused, file=sys.stderr)
        sys.exit(os.EX_TEMPFAIL)
    if not found.startswith(f"{stated[1]}."):
        sys.exit(f"{stated[2]} has Python {found}, and {name} another one")
    call([*buildah(folder), "commit", "--rm", container, "base"])
    return "localhost/base"


def buildah(folder: Path) -> list[str]:
    """Return the program with its images and containers in a folder."""
    return ["buildah", "--root", str(folder / "images"), "--runroot", str(folder / "runs")]


def call(words: list[str]) -> str:
    """Run a program and return what it prints; end with its errors if it fails."""
    begun = time.monotonic()
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(words)}: exit code {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-4000:]}")
    print(f"[{time.monotonic() - begun:.1f} s] {' '.join(words)[:150]}", file=sys.stderr, flush=True)
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
