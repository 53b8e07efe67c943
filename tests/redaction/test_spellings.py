"""Every spelling of a secret that spellings.txt lists, and thousands of siblings, is masked; harmless.txt stays."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.redaction import PLAIN, without_secrets
from support.secret_texts.siblings import siblings
from support.secret_texts.spellings import Spelling, filled, leaks, spellings

SPELLINGS = spellings()

AT_THE_END = {"quote-cut", "quote-json-cut", "value-space-at-end", "sql-set", "sql-set-spaces"}
"""Spellings that nothing ends but the end of the text."""

HARMLESS = [
    filled(line)
    for line in Path(__file__).with_name("harmless.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def test_there_are_at_least_two_hundred_spellings_of_different_names() -> None:
    assert len({spelling.name for spelling in SPELLINGS}) == len(SPELLINGS) >= 200
    assert [spelling.name for spelling in SPELLINGS if not leaks(spelling.text)] == []


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: spelling.name)
def test_no_part_of_a_spelling_is_left(spelling: Spelling) -> None:
    masked = without_secrets(spelling.text)
    assert not leaks(masked), masked
    assert "***" in masked
    assert without_secrets(masked) == masked


@pytest.mark.parametrize(
    "around",
    [
        "nightly load {}, 3 rows",
        "SELECT a FROM t /* {} */ WHERE b",
        "Project [id#1, {} AS note#2, name#3]",
        "-- {}\nSELECT 1",
    ],
)
def test_what_stands_around_a_spelling_is_kept(around: str) -> None:
    before, after = around.split("{}")
    for spelling in SPELLINGS:
        if spelling.name not in AT_THE_END:
            masked = without_secrets(before + spelling.text + after)
            assert not leaks(masked), masked
            assert masked.startswith(before), masked
            assert masked.endswith(after), masked


def test_a_spelling_within_a_quoted_literal_is_masked_and_the_statement_kept() -> None:
    for spelling in SPELLINGS:
        if spelling.name not in AT_THE_END:
            literal = spelling.text.replace("\\", "\\\\").replace("'", "\\'")
            masked = without_secrets(f"SELECT '{literal}' AS note, 'x' AS y")
            assert not leaks(masked), masked
            assert masked.startswith("SELECT "), masked
            assert masked.endswith("AS note, 'x' AS y"), masked


def test_siblings_of_the_spellings_are_masked() -> None:
    seen = 0
    for name, text in siblings():
        masked = without_secrets(text)
        assert not leaks(masked), (name, text, masked)
        assert without_secrets(masked) == masked
        seen += 1
    assert seen > 7_000


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_text_stays(text: str) -> None:
    assert without_secrets(text) == text


PIECES = st.sampled_from(
    [piece for spelling in SPELLINGS for piece in re.findall(r"\w+|\W", spelling.text) if len(piece) < 40]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_redacting_pieces_of_spellings_twice_changes_nothing_more(text: str) -> None:
    masked = without_secrets(text)
    assert without_secrets(masked) == masked


REPEATED = [
    *(
        "password=",
        "password='",
        'password="',
        "password=[",
        "password=(",
        "password in (",
        "password -> a ",
        "[password=a, ",
    ),
    *(
        "password: |\n ",
        "password#1 = ",
        "a AS password#1, ",
        "' AS password",
        "keys: [password], values: [",
        "<password ",
    ),
    *(
        "://",
        "://a:b",
        "s3://a:b",
        "@",
        "a:b@",
        "%3A%2F%2Fa%3A",
        "\\",
        '\\"password\\":\\"',
        "IDENTIFIED BY ",
        "OPTIONS (key ",
    ),
    *(
        "(password) VALUES ('a',",
        "aes_encrypt(",
        "-----BEGIN PRIVATE KEY-----\n",
        " -px1y2",
        "mysql -p ",
        "Bearer ",
        "token ",
    ),
    *(
        "Authorization: Digest a=b,",
        "Cookie: a=b;",
        "Pwd=a b",
        "login a password ",
        "ops_eyJ",
        "-eyJa1B2",
        "t1.",
        "glpat-",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", REPEATED)
def test_twice_the_text_takes_twice_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        started = time.process_time()
        without_secrets(text)
        return time.process_time() - started

    assert any(seconds(80_000) < 8 * seconds(20_000) + 0.1 for _ in range(3))  # a busy machine may interrupt one


def test_a_masked_text_is_remembered_and_given_again() -> None:
    assert PLAIN.text("password=x7Qz") is PLAIN.text("password=x7Qz")
