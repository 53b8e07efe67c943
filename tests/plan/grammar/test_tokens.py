"""Expression text is cut into tokens; attributes are found by the names that the plan knows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.tokens import (
    ATTRIBUTE,
    AttributeNames,
    Token,
    call_name,
    field_end,
    find_attributes,
    is_known,
    tokenize,
)
from support.plans.strategies import literals, names

KNOWN: AttributeNames = {1: ("a",), 2: ("b c",), 3: ("sum(a#1)",), 4: ("Total",), 7: ("x,y",), 12: ("h#1",)}
texts = st.one_of(
    st.text(),
    literals,
    st.lists(
        st.sampled_from(("a#1", "b c#2", "sum(a#1)#3L", "x,y#7", "h#1#12", "(", ")", ", ", "a", "#")), max_size=12
    ).map("".join),
)


def found(text: str, known: AttributeNames = KNOWN) -> list[str]:
    """The attributes in a text, as they stand there."""
    return [text[token.start : token.end] for token in find_attributes(text, known)]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("(a#1 > 2)", ["a#1"]),
        ("a#1L + b c#2", ["a#1L", "b c#2"]),
        ("sum(a#1)#3L AS s#9", ["sum(a#1)#3L"]),
        ("sum(a#1)", ["a#1"]),
        ("Brand#12 = a#1", ["a#1"]),
        ("TOTAL#4 + total#4", ["TOTAL#4", "total#4"]),
        ("x,y#7, h#1#12", ["x,y#7", "h#1#12"]),
        ("a#1-T600000ms", ["a#1-T600000ms"]),
        ("b#2", []),
        ("no id", []),
    ],
)
def test_a_name_is_found_from_its_id(text: str, attributes: list[str]) -> None:
    assert found(text) == attributes


@given(texts)
def test_tokens_and_the_text_between_them_are_the_whole_text(text: str) -> None:
    at = 0
    pieces = []
    for token in tokenize(text, KNOWN):
        assert at <= token.start < token.end
        pieces.extend((text[at : token.start], text[token.start : token.end]))
        at = token.end
    assert "".join([*pieces, text[at:]]) == text


@given(st.lists(st.tuples(names, st.sampled_from((" + ", ", ", " AND ", " = "))), max_size=6))
def test_attributes_of_any_name_are_found(parts: list[tuple[str, str]]) -> None:
    known = {1000 + index: (name,) for index, (name, _) in enumerate(parts)}
    text = "".join(f"{name}#{1000 + index}{word}" for index, (name, word) in enumerate(parts))
    assert [token.expr_id for token in find_attributes(text, known)] == list(known)
    assert found(text, known) == [f"{name}#{number}" for number, (name,) in known.items()]


@given(texts)
def test_other_names_for_the_attributes_make_no_other_tokens(text: str) -> None:
    renamed = "".join(
        f"n#{token.expr_id}" if token.kind == ATTRIBUTE else text[token.start : token.end] for token in _with_gaps(text)
    )
    before = [token.kind for token in tokenize(text, KNOWN)]
    after = [token.kind for token in tokenize(renamed, dict.fromkeys(KNOWN, ("n",)))]
    assert before == after


def _with_gaps(text: str) -> Iterator[Token]:
    at = 0
    for token in tokenize(text, KNOWN):
        yield Token("text", at, token.start)
        yield token
        at = token.end
    yield Token("text", at, len(text))


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("amount#46L", ("amount", 46)),
        ("sum(v#122)#123", ("sum(v#122)", 123)),
        ("ts#1-T600000ms", ("ts", 1)),
        ("a\nb#2", ("a\nb", 2)),
        ("amount", None),
        ("a#1 + 1", None),
        ("", None),
    ],
)
def test_an_attribute_that_stands_alone_has_a_name_and_an_id(text: str, attribute: tuple[str, int] | None) -> None:
    assert read_attribute(text) == attribute


def test_names_are_known_whatever_their_case() -> None:
    assert is_known("total", 4, KNOWN)
    assert not is_known("totals", 4, KNOWN)
    assert not is_known("total", 5, KNOWN)


@pytest.mark.parametrize(
    ("text", "end"),
    [("city, b", 4), ("max(v) + 1", 6), ("a[0]", 1), ("b.c", 1), ("x)", 1), ("f(a, b).c", 7), ("open(", 4), ("", 0)],
)
def test_a_fields_name_may_have_brackets_of_its_own(text: str, end: int) -> None:
    assert field_end(text, 0) == end


@pytest.mark.parametrize(
    ("text", "name"),
    [("sum(", "sum"), ("(", ""), ("a = f(", "f"), ("x, cast(", "cast"), ("[f(", "f"), ("\\(", None), ("a|b+(", None)],
)
def test_a_bracket_opens_a_call_or_a_group(text: str, name: str | None) -> None:
    assert call_name(text, 0, len(text) - 1) == name
