"""The exports of the shop's store are as written down."""

from __future__ import annotations

import pytest

from support.stores.exports import GOLDEN, golden_exports
from support.stores.shop import open_shop

NAMES = sorted(path.name for path in GOLDEN.iterdir())


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    store = tmp_path_factory.mktemp("goldens") / "lineage"
    open_shop(store)
    return golden_exports(store)


def test_every_golden_file_is_an_export(exports: dict[str, str]) -> None:
    assert sorted(exports) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_an_export_is_as_written_down(exports: dict[str, str], name: str) -> None:
    """Else run scripts/make_export_goldens.py and read the difference."""
    assert exports[name] == (GOLDEN / name).read_bytes().decode()
