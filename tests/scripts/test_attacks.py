"""The programs of scripts/attack find nothing; here they run bounded, for docs/reliability.md in full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ATTACKS = Path(__file__).resolve().parents[2] / "scripts" / "attack"
BOUNDED = {
    "damage_logs.py": (["--logs", "60", "--seed", "5"], "60 damaged logs"),
    "kill_tasks.py": (["--most", "4", "--seed", "5"], "0 findings"),
    "listings.py": (["--only", "list: a"], "each costs its own server only"),
    "wide_plans.py": (["--size", "1500"], "0 findings"),
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
