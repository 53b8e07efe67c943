"""Masking functions: Spark's own, and those that a user names."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import statements_of, trace_log
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.functions import mask_names
from eventlog_lineage.plan.grammar.parser import parse_expression

CUSTOM = ["aes_encrypt", "Tokenize", "org.example.Mask"]
LOG = Path(__file__).resolve().parents[2] / "sample_logs" / "nightly-sales-3-5.zstd"
AES_4 = "static_invoke(ExpressionImplUtils.aesEncrypt(cast(email#12 as binary), key, GCM, DEFAULT, , ))"
AES_3 = (
    "staticinvoke(class org.apache.spark.sql.catalyst.expressions.ExpressionImplUtils, BinaryType, aesEncrypt, "
    "cast(email#12 as binary), 0x61, GCM, DEFAULT, 0x, 0x, BinaryType, BinaryType, StringType, StringType, BinaryType, "
    "BinaryType, true, true, true)"
)


def masking(text: str, *names: str) -> list[bool]:
    """Whether each use of email is masked."""
    analysis = analyze(parse_expression(text, {12: ("email", 12)}), masks=mask_names(names))
    return [reference.masking for reference in analysis.references]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (AES_4, [True]),
        (AES_3, [True]),
        (f"hex({AES_3})", [True]),
        ("tokenize(email#12)", [True]),
        ("main.default.tokenize(email#12)", [True]),
        ("TOKENIZE(email#12)#40", [True]),
        ("HiveSimpleUDF#org.example.Mask(email#12)", [True]),
        ("concat(tokenize(email#12), email#12)", [True, False]),
        ("CASE WHEN (email#12 = x) THEN tokenize(email#12) END", [False, True]),
        ("named_struct(a, tokenize(email#12), b, upper(email#12))", [True, False]),
        ("detokenize(email#12)", [False]),
        ("static_invoke(ExpressionImplUtils.aesDecrypt(email#12, key))", [False]),
        ("sha2(email#12, 256)", [True]),
    ],
)
def test_functions_that_a_user_names_mask(text: str, expected: list[bool]) -> None:
    assert masking(text, *CUSTOM) == expected


def test_without_names_only_sparks_own_functions_mask() -> None:
    assert [masking(text) for text in (AES_4, AES_3, "tokenize(email#12)", "md5(email#12)")] == [
        [False],
        [False],
        [False],
        [True],
    ]


def test_a_log_is_traced_with_the_names_and_keeps_its_lineage_ids_without_them() -> None:
    """`mart: net_prices` derives net_price by the UDF without_tax."""
    log = read_log(next(iter(find_logs([str(LOG)]))))
    for names, expected in (([], False), (["without_tax"], True)):
        found = [
            edge.masking
            for traced in trace_log(log, mask_names(names))
            for edge in traced.lineage.edges
            if edge.target_column == "net_price"
        ]
        assert set(found) == {expected}
    plain = [each.lineage_id for each in statements_of(log)]
    assert [each.lineage_id for each in statements_of(log, ())] == plain
    assert not set(plain) & {each.lineage_id for each in statements_of(log, mask_names(["without_tax"]))}


def test_explain_takes_masking_functions(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", str(LOG), "--lineage-only"]
    assert run([*words, "--masking-function", "without_tax"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "without_tax(" in line]
    assert run(words) == 0
    (plain,) = [line for line in capsys.readouterr().out.splitlines() if "without_tax(" in line]
    assert "mask" in line
    assert "mask" not in plain
