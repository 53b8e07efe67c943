"""Redact all kinds of secrets in a text."""

from __future__ import annotations

import re
from functools import lru_cache

from .assignments.ends import PLAN_ID
from .assignments.named_values import without_named_values
from .cells import without_cells, without_literals_of_maps
from .cipher_keys import without_cipher_keys
from .literal_numbers import NUMBER_SIGN, with_literal_numbers
from .mask import LONGEST, MASK, Span, masked
from .meetings import PARSED_LINE, without_met, without_named
from .names import is_secret_column, undisguised
from .printed_literals import is_plain_word
from .secret_forms import COMMANDS, CREDENTIALS, without, without_users
from .tokens.vendor_tokens import without_vendor_tokens
from .words import Kind, kinds_of

_MOST_PASSES = 8
_LONGEST_PLAN = 262_144
"""Characters of a plan that is searched for the secrets of its statement."""
_SHORTEST_SHARED = 4
_MOST_SHARED = 1000
_FEW = 16
_QUOTED = re.compile(r"'((?:[^'\\]|\\.){4,512})'|\"((?:[^\"\\]|\\.){4,512})\"", re.DOTALL)
_WORD = re.compile(r"\w+")
_NESTED = re.compile(r"'(?:[^'\\]|''|\\.){8,8192}'", re.DOTALL)
_BEFORE_NESTED = ("\\", "''", "'{", "'[")
_ESCAPE = re.compile(r"\\[\\'\"nt]|''")
_PLAIN = {"\\n": "\n", "\\t": "\t"}
_ESCAPED = {ord("\\"): "\\\\", ord("'"): "\\'", ord("\n"): "\\n", ord("\t"): "\\t"}
_INSERT = re.compile(
    r"(?:--[^\n]*\n|/\*.{0,512}?\*/|\s){0,8}(?:execute\s{1,8}immediate\s{1,8}['\"]\s{0,8})?insert\s{1,8}(?:into|overwrite)\s{1,8}(?:table\s{1,8})?[\w.`-]{1,512}"
    r"(?=\s{1,8}(?:values|select|from|with|table)\b)",
    re.IGNORECASE | re.DOTALL,
)
_WRITES = re.compile(r"InsertInto|AppendData|Overwrite")
_COLUMN = r"`?[\w ]{1,128}`?(?:#\d{1,19}L?)?"
_COLUMNS = re.compile(rf"\[({_COLUMN}(?:, {_COLUMN}){{0,999}})\](?=,? |\n|$)")
_LITERAL_OF_PLAN = re.compile(
    r"(?:(?<=\d, )|(?<=\dL, )|(?<= \[))(?P<literal>(?:[^#\n]|\n(?!\s{0,64}[(+:*])){8,4096}?)(?= AS [\w ]{1,128}#\d)"
)
"""A column of a plan without attributes."""
_BEGINS = frozenset("([,=")
_ENDS = frozenset(",)]")
_BEFORE_RESULT = (" THEN ", " ELSE ")
_AFTER_RESULT = (" WHEN ", " ELSE ", " END")
_PARTS = frozenset("`./#_") | frozenset("0123456789")
_PART_AFTER = re.compile(r"[\w`/]|#\d")
_PART_OF_WORD = re.compile(r"[\w`/]")


def without_secrets(text: str) -> str:
    """Return a text with `***` instead of its secrets.

    A mask can make other text a secret, so a text is searched until it does not change.
    """
    for passes in range(_MOST_PASSES):
        before, text = text, _once(text, first=not passes)
        if text == before:
            break
    return text


def _once(text: str, *, first: bool) -> str:
    kinds, tokens = kinds_of(text)
    text = without_users(text)
    return _without(text, kinds, tokens, first=first) if kinds else text


def without_inserted_secrets(statement: str, plan: str) -> str:
    """Return a statement without literals for sensitive columns that only its plan names.

    Args:
        statement: `INSERT INTO t VALUES …`; others are returned.
        plan: The text of its plan.
    """
    complete, added = _with_columns(statement, plan)
    return without_secrets(complete).replace(added, "", 1) if added else statement


def _with_columns(statement: str, plan: str) -> tuple[str, str]:
    """Return an INSERT without a list of columns with that of its plan, and what was added.

    >>> _with_columns("INSERT INTO t VALUES (1, 'x')", "InsertIntoHiveTable `t`, false, [id, password]")
    ("INSERT INTO t (id, password) VALUES (1, 'x')", ' (id, password)')
    """
    insert = _INSERT.match(statement)
    if insert is None or not _WRITES.search(plan):
        return statement, ""
    for match in _COLUMNS.finditer(plan):
        names = [name.partition("#")[0].strip("` ") for name in match[1].split(", ")]
        if any(map(is_secret_column, names)):
            added = f" ({', '.join(names)})"
            return f"{statement[: insert.end()]}{added}{statement[insert.end() :]}", added
    return statement, ""


def without_shared_secrets(statement: str, plan: str) -> tuple[str, str]:
    """Return a statement and its plan without the literals that both have and one of them shows to be secrets.

    A formatted plan loses the name of an alias (`arr AS tokens`), and a statement has not the columns of its tables.
    Also without the literals of functions and variables that the statement names by an alias of theirs.

    Args:
        statement: The SQL that an execution is described by.
        plan: The text of its plan.

    >>> without_shared_secrets("SELECT trim(token) = 'abc1' FROM v", "Filter (trim(x#5) = abc1)")[1]
    'Filter (trim(x#5) = ***)'
    """
    plan = without_named(plan, statement)
    shared = _shared_literals(statement, plan)
    if not shared:
        return statement, plan
    described = without_secrets(statement)
    secrets = [each for each in shared if each not in described]
    if len(secrets) < len(shared) and len(plan) <= _LONGEST_PLAN:
        masked_plan = _plan_without_secrets(plan)
        found = frozenset(each for each in shared if each not in masked_plan)
        statement = _QUOTED.sub(lambda match: MASK if (match[1] or match[2]) in found else match[0], statement)
    return statement, _without_literals(without_secrets(plan), secrets) if secrets else plan


def _shared_literals(statement: str, plan: str) -> list[str]:
    """Return the longest literals of a statement that its plan has, too.

    A pattern of LIKE is printed without its percent signs: `StartsWith(name, x)`.
    """
    literals = {one or other for one, other in _QUOTED.findall(statement)}
    literals |= {part for each in literals if "%" in each for part in each.split("%") if len(part) >= _SHORTEST_SHARED}
    if len(literals) > _FEW:
        words = set(_WORD.findall(plan))
        literals = {each for each in literals if (first := _WORD.search(each)) and first[0] in words}
    return [each for each in sorted(literals, key=len, reverse=True)[:_MOST_SHARED] if each in plan]


@lru_cache(maxsize=32)
def _plan_without_secrets(plan: str) -> str:
    """Return a plan without secrets; cached, as the runs of a job have the same plans."""
    return without_secrets(plan)


def _without_literals(plan: str, secrets: list[str]) -> str:
    """Return a plan without some values, unless they are a part of a longer word, an attribute or a path.

    Args:
        plan: The text of a plan.
        secrets: The values, longer ones first.
    """
    firsts: dict[str, list[tuple[str, int]]] = {}
    unnamed = {secret for secret in secrets if f"{secret} AS {secret}#" in plan}
    for secret in secrets:
        first = _WORD.search(secret)
        if first and secret in plan and not (secret not in unnamed and is_plain_word(secret) and f"{secret}#" in plan):
            firsts.setdefault(first[0], []).append((secret, first.start()))
    spans: list[Span] = []
    for word in _WORD.finditer(plan) if firsts else ():
        for secret, before in firsts.get(word[0], ()):
            start = word.start() - before
            is_unnamed = secret in unnamed
            if plan.startswith(secret, start) and _is_literal(plan, start, start + len(secret), unnamed=is_unnamed):
                spans.append((start, start + len(secret)))
                break
    return masked(plan, spans)


def _is_literal(plan: str, start: int, end: int, *, unnamed: bool) -> bool:
    """Return whether a value is a whole literal; a plain word is one only between brackets, commas and comparisons.

    Args:
        plan: The text of a plan.
        start: The value's offset.
        end: The offset after it.
        unnamed: Whether the plan has a column that is the value, and has its name.
    """
    after = _PART_OF_WORD if unnamed else _PART_AFTER
    if not unnamed and is_plain_word(plan[start:end]):
        begins = plan[max(0, start - 2) : start].rstrip(" ")[-1:] in _BEGINS and plan[end : end + 1] in _ENDS
        return begins or (plan.endswith(_BEFORE_RESULT, 0, start) and plan.startswith(_AFTER_RESULT, end))
    return plan[start - 1 : start] not in _PARTS and after.match(plan, end) is None


def shortened(text: str, longest: int) -> str:
    """Return the beginning of a text; longer texts are redacted first, as a part of a secret cannot be recognized.

    Args:
        text: Any text.
        longest: Characters to keep.
    """
    return text if len(text) <= longest else _beginning(text[: longest + 2 * LONGEST + 1], longest)


@lru_cache(maxsize=256)
def _beginning(text: str, longest: int) -> str:
    """Return the same for a longer text; cached, as the runs of a job have the same statements.

    A secret may begin in the last characters of a text that was cut, and masks before it bring it to the front.

    Args:
        text: The text, cut after twice the longest secret.
        longest: Characters to keep.
    """
    clean = without_secrets(text)
    return (clean[:-LONGEST] if len(text) > longest + 2 * LONGEST else clean)[:longest]


def _without(text: str, kinds: Kind, tokens: list[str], *, first: bool) -> str:
    text = _without_nested(text) if first else text
    named = _is_named(kinds)
    if named or kinds & Kind.FORM:
        text = without(text, CREDENTIALS)
    if kinds & (Kind.TOKEN | Kind.RANDOM):
        text = without_vendor_tokens(text, tokens)
    text = _without_met_and_named(text, first=first) if named else text
    if kinds & Kind.FORM:
        text = without_cipher_keys(text)
    if named or kinds & (Kind.FORM | Kind.LETTER) or (kinds & Kind.KEY and kinds & Kind.OPTIONS):
        text = without(text, COMMANDS)
    return text


def _without_met_and_named(text: str, *, first: bool) -> str:
    text = with_literal_numbers(text)
    if first:  # a mask may leave a quote open
        text = without_met(_LITERAL_OF_PLAN.sub(_column, text) if " AS " in text else text)
    return _without_named(text).replace(NUMBER_SIGN, "#")


def _is_named(kinds: Kind) -> bool:
    """Return whether there is a sensitive name, or a key with a word for its kind, or with a random value."""
    key = Kind.KEY | (Kind.NAME_OF_KEY if kinds & Kind.RANDOM else Kind.NOTHING)
    return bool(kinds & Kind.NAME or (kinds & key and kinds & (Kind.KEY_OF | Kind.RANDOM)))


def _without_nested(text: str) -> str:
    """Return a text without the secrets in literals that are JSON, or texts with quotes or lines."""
    return _NESTED.sub(_nested, text) if any(each in text for each in _BEFORE_NESTED) else text


def _nested(match: re.Match[str]) -> str:
    literal = match[0]
    if PLAN_ID.search(literal):
        return literal
    inner = _ESCAPE.sub(lambda each: _PLAIN.get(each[0], each[0][-1]), literal[1:-1])
    clean = without_secrets(inner) if inner != literal[1:-1] or inner[0] in "{[" else inner
    own = {ord(each): each for each in _PLAIN.values() if each in literal}
    return literal if clean == inner else f"{literal[0]}{clean.translate(_ESCAPED | own)}{literal[0]}"


def _column(match: re.Match[str]) -> str:
    """Return a column of a plan that is a literal, redacted as a text of its own."""
    literal = match["literal"]
    if PARSED_LINE.match(match.string, match.string.rfind("\n", 0, match.start()) + 1):
        return literal
    clean = without_secrets(literal)
    return literal if clean == literal.replace(NUMBER_SIGN, "#") else clean


def _without_named(text: str) -> str:
    text = without_cells(without_literals_of_maps(text))
    return without_named_values(text, undisguised(text))
