"""Rules that find tokens of known forms: what a rule matches is masked; the rules of gitleaks keep their license."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from eventlog_lineage.redaction import without_secrets
from eventlog_lineage.redaction.tokens import vendor_tokens
from eventlog_lineage.redaction.tokens.vendor_tokens import OWN_RULES, gitleaks_rules

TOKENS = (*gitleaks_rules(), *OWN_RULES)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_whatever_a_rule_takes_for_a_token_is_masked(data: st.DataObject) -> None:
    name, _, pattern = data.draw(st.sampled_from(TOKENS))
    token = data.draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True))
    assume(len(token) >= 16 and re.fullmatch(r"[\w.+/~-]+={0,3}", token, re.ASCII))
    masked = without_secrets(f"a {token} b")
    assert re.search(pattern, masked, re.ASCII) is None, (name, masked)


def test_the_rules_of_gitleaks_have_their_licence_with_them() -> None:
    folder = Path(vendor_tokens.__file__).parent
    assert "MIT License" in (folder / "LICENSE.gitleaks").read_text(encoding="utf-8")
    assert "gitleaks v8." in (folder / "gitleaks_rules.json").read_text(encoding="utf-8")
    assert len(gitleaks_rules()) > 100


def test_a_vendors_token_of_another_length_is_masked_with_its_checksum() -> None:
    token = "ATATT3" + "xFfGF0-q7Zr9_Kd3" * 9 + "=729FF6EC"
    assert without_secrets(f"jira export ({token}), nightly") == "jira export (***), nightly"


def test_tokens_of_warehouses_and_of_tools_around_them_are_masked() -> None:
    tokens = (
        "hxtp_5aba59002b355f235f79c7f79b7aecca",
        "ldpat_71e068f6bb7daa8537ce369bffedaf9b",
        "n8n_api_NUuTiJLYbS66Kqt7",
    )
    for token in (*tokens, "ver:1-hint:1036-ETMsDgAAAZRIuY1BbBNQzcJYaHO0Wf88zuKnqBd+l+Vs+wq3lP09sSd2xC7vB5nM1k"):
        masked = without_secrets(f"load with {token} done")
        assert token[-12:] not in masked
        assert masked.endswith("*** done")
