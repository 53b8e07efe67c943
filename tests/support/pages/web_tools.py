"""Programs of web/: Vite, the TypeScript compiler, Vitest."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

WEB = Path(__file__).resolve().parents[3] / "web"


def npx(*words: str, **variables: str) -> str:
    """What a program of web/node_modules prints; it must end well."""
    node = shutil.which("node")
    program = WEB / "node_modules" / ".bin" / words[0]
    assert node, "there is no Node.js: run ./scripts/test, or leave these tests out with -m 'not node'"
    assert program.exists(), "run `npm ci` in web/, or leave these tests out with -m 'not node'"
    call = [node, str(program.resolve()), *words[1:]]
    done = subprocess.run(call, cwd=WEB, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
