"""Record which rows this version reads better than a release: `python scripts/make_released_corrections.py v0.1.0`.

Writes `tests/harvest/released_corrections/<release>.json`. Read its difference: every row that is gone must be one that
the release got wrong, and every new row what is right. Reasons are in the CHANGELOG.
"""

from __future__ import annotations

import importlib.util
import io
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from types import ModuleType

import zstandard

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS))


def test_module() -> ModuleType:
    """Return the test that compares with the record."""
    spec = importlib.util.spec_from_file_location("released", TESTS / "harvest" / "results" / "test_released_stores.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def unpacked(released: ModuleType, release: Path, folder: Path) -> Path:
    """Return a copy of a release's store, next to its logs."""
    packed = zstandard.ZstdDecompressor().decompress((release / "store.tar.zst").read_bytes(), 1 << 28)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    released.add_logs(release / "logs" / "first", folder)
    return folder / "store"


def main() -> None:
    """Harvest the release's store three times, as the tests do, and write the differences."""
    released, release = test_module(), TESTS / "store" / "released" / sys.argv[1]
    folders = [tempfile.TemporaryDirectory() for _ in range(3)]
    with folders[0] as unchanged, folders[1] as again, folders[2] as on:
        store = unpacked(released, release, Path(unchanged))
        released.harvested(store)
        before = released.expected(release, "first")
        not_read = released.differences(released.answers(store, before), before)

        store = unpacked(released, release, Path(again))
        options = released.HarvestOptions(redact=released.OPTIONS.redact, reprocess=True)
        released.harvest([str(store.parent / "logs")], store, options)
        now = released.by_statements(released.answers(store, before))
        read_again = released.differences(now, released.by_statements(released.named_by_files(before, store)))

        store = unpacked(released, release, Path(on))
        released.add_logs(release / "logs" / "second", store.parent)
        released.harvested(store)
        after = released.named_by_files(released.expected(release, "second"), store)
        harvested_on = released.differences(released.answers(store, after), after)
    record = {"not read again": not_read, "read again": read_again, "harvested on": harvested_on}
    path = TESTS / "harvest" / "released_corrections" / f"{release.name}.json"
    lines = [
        f' "{test}": {{\n'
        + ",\n".join(
            f'  "{table}": {{'
            + ",".join(
                f'\n   "{kind}": [\n' + ",\n".join(f"    {json.dumps(row)}" for row in rows) + "\n   ]"
                for kind, rows in found.items()
            )
            + "}"
            for table, found in tables.items()
        )
        + "\n }"
        for test, tables in record.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
