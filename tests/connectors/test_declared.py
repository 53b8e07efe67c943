"""Declarations of users and of installed packages, next to the package's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventlog_lineage.connectors.connector import (
    connectors,
    read_connector_file,
    read_declaration,
    use_connectors,
)
from eventlog_lineage.connectors.identify import identify
from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_input import load_toml

PAGE = Path(__file__).resolve().parents[2] / "docs" / "connectors.md"
(ACME,) = re.findall(r"```toml\n(name = .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
"""The example of the documentation."""
RULE = '''
from eventlog_lineage.operators.registry import operator

@operator("AcmeLimit")
def acme_limit(op):
    """Pass its input on."""
    return op.input
'''
FUNCTIONS = """
EFFECTS = {"acme_tokenize": "mask", "acme_trim": "identity", "acme_total": "aggregate", "acme_pick": "choice"}
"""
SOURCES = """
[[source]]
connector = "acme"
namespace = "acme://prod"
"""
CHECK = """
from eventlog_lineage.connectors.identify import identify
from eventlog_lineage.operators.derivations.functions import mask_names
from eventlog_lineage.operators.registry import rules
from eventlog_lineage.connectors.connector import as_settings, read_rules
settings = dict(as_settings(read_rules(["table=other,namespace=acme://own"]), "app"))
print(identify("x\\nAcmeScan[shop.orders]").dataset.name, mask_names([]), "AcmeLimit" in rules())
print(identify("x\\nAcmeScan[shop.orders]", settings=settings).dataset.name)
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.plan.grammar.parser import parse_expression
for function in ("acme_tokenize", "acme_trim", "acme_total", "acme_pick", "acme_other"):
    parsed = parse_expression(f"{function}(email#1)", {1: ("email",)})
    found = analyze(parsed, masks=mask_names([])).references
    print(function, *sorted(f"{each.kind}{' masked' if each.masking else ''}" for each in found))
"""


@pytest.fixture
def own() -> Iterator[None]:
    yield
    use_connectors(())


@pytest.mark.usefixtures("own")
def test_a_users_connector_names_tables(tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(ACME)
    use_connectors((read_connector_file(str(path)),))
    found = identify("x\nAcmeScan[shop.orders]", settings={"spark.acme.endpoint": "a1"})
    assert found is not None
    assert found.dataset is not None
    assert found.dataset.name == "acme://a1/shop.orders"
    assert next(iter(connectors())) == "acme"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "invalid TOML"),
        ('name = "Acme Inc"', "needs a name"),
        ('name = "acme"\nfrob = 1', "unknown key 'frob'"),
        ('name = "acme"\nprinted = ["("]', "missing"),
        ('name = "acme"\nlevels = [1]', "not a string"),
    ],
)
def test_a_wrong_declaration_is_an_error(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_declaration(load_toml(text, "acme.toml"), "acme.toml")


def test_braces_of_a_setting_are_its_own_but_for_the_declared_words() -> None:
    keys = ["spark.{cluster}.{end}.table", "spark.{}.{direction}.table"]
    declared = read_declaration({"name": "acme", "settings": {"table": keys}}, "acme.toml")
    assert declared.settings_of("write") == {"table": ("spark.{cluster}.output.table", "spark.{}.write.table")}


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_connector_file(str(tmp_path / "none.toml"))


def test_an_installed_package_adds_a_connector_an_operator_functions_and_sources(tmp_path: Path) -> None:
    package, metadata = tmp_path / "acme_lineage", tmp_path / "acme_lineage-1.0.dist-info"
    package.mkdir()
    metadata.mkdir()
    (package / "__init__.py").write_text("")
    (package / "acme.toml").write_text(ACME)
    (package / "operators.py").write_text(RULE)
    (package / "functions.py").write_text(FUNCTIONS)
    (package / "sources").mkdir()
    (package / "sources" / "__init__.py").write_text("")
    (package / "sources" / "sources.toml").write_text(SOURCES)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-lineage\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[eventlog_lineage.connectors]\nacme = acme_lineage\n"
        "[eventlog_lineage.operators]\nacme = acme_lineage.operators\n"
        "[eventlog_lineage.functions]\nacme = acme_lineage.functions:EFFECTS\n"
        "[eventlog_lineage.sources]\nacme = acme_lineage.sources\n"
    )
    paths = os.pathsep.join((str(tmp_path), *filter(None, sys.path)))
    run = subprocess.run(
        [sys.executable, "-c", CHECK],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    effects = ("acmepick choice", "acmetokenize", "acmetotal aggregate", "acmetrim identity")
    assert run.stdout.splitlines() == [
        f"acme:shop.orders {effects} True",
        "acme://prod/shop.orders",
        "acme_tokenize TRANSFORMATION masked",
        "acme_trim IDENTITY",
        "acme_total AGGREGATION",
        "acme_pick CONDITIONAL TRANSFORMATION",
        "acme_other TRANSFORMATION",
    ]


def test_sqlglot_is_imported_only_where_sql_is_read() -> None:
    modules = "eventlog_lineage.cli.main, eventlog_lineage.operators.source_relations"
    script = f"import sys, {modules}; print('sqlglot' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
