"""The programs of scripts/attack find nothing; here they run bounded, for docs/reliability.md in full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ATTACKS = Path(__file__).resolve().parents[2] / "scripts" / "attack"
BOUNDED = {
    "damage_logs.py": (["--logs", "60", "--seed", "5"], "60 damaged logs"),
    "kill_tasks.py": (["--most", "4", "--seed", "5"], "0 findings"),
    "listings.py": (["--only", "list: a"], "each costs its own server only"),
    "wide_plans.py": (["--size", "1000"], "0 findings"),
    "plans.py": (["--plans", "60", "--seed", "5"], "no error, no name is more than a name"),
}


@pytest.mark.slow
@pytest.mark.parametrize("program", BOUNDED)
def test_an_attack_finds_nothing(program: str) -> None:
    words, expected = BOUNDED[program]
    call = [sys.executable, str(ATTACKS / program), *words]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert expected in done.stdout


@pytest.mark.parametrize(
    "program", sorted(path.name for path in ATTACKS.glob("*.py") if path.name not in {"attack.py", "store_damage.py"})
)
def test_each_attack_is_described_with_its_command(program: str) -> None:
    page = ATTACKS.parents[1] / "docs" / "reliability.md"
    assert f"python scripts/attack/{program}" in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.spark
def test_a_cluster_that_is_terminated_leaves_no_process(tmp_path: Path) -> None:
    call = [sys.executable, str(ATTACKS / "cluster.py"), "--logs", "2", "--harvests", "1"]
    with subprocess.Popen(call, env=os.environ | {"TMPDIR": str(tmp_path)}, stdout=subprocess.DEVNULL) as attack:
        while not any("Starting Spark master at" in log.read_text() for log in tmp_path.glob("*/master/log")):
            assert attack.poll() is None
            time.sleep(0.1)
        attack.terminate()
    assert attack.returncode == 128 + signal.SIGTERM
    assert not [process for process in Path("/proc").glob("[0-9]*") if _works_below(process, tmp_path)]


def _works_below(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink().is_relative_to(folder)
    except OSError:
        return False
