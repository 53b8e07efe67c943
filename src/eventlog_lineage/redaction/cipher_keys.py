"""Redact keys of `aes_encrypt` (Spark 3.3+), and of any function that encrypts, decrypts or signs, in SQL and plans.

SQL has quoted literals. Plans print literals without quotes, and binary ones in hexadecimal: a parsed plan
`'aes_encrypt('c, KEY)`, an analyzed one `aes_encrypt(c#1, cast(KEY as binary), GCM, DEFAULT, …)`, an optimized one
`staticinvoke(class …ExpressionImplUtils, BinaryType, aesEncrypt, c#1, 0x4B4559, GCM, …)` (`StaticInvoke`, 3.x) or
`static_invoke(ExpressionImplUtils.aesEncrypt(c#1, 0x4B4559, GCM, …))` (4.x).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .assignments.ends import PLAN_ID, quoted
from .mask import LONGEST, Span, masked
from .printed_literals import found_again

_CALL = re.compile(
    r"(?P<parsed>')?\b(?:\w{0,32}(?:en|de)crypt(?:_\w{1,32})?\s{0,3}\(|aes(?:en|de)crypt, "
    r"|(?P<first>(?:hmac(?:\.new|\w{0,32})|crypt)\s{0,3}\())",
    re.IGNORECASE,
)
"""Functions, and those whose first argument may be the key."""
_MODE = re.compile(r", (?:GCM|ECB|CBC)\b|\n", re.IGNORECASE)
"""What follows a key in a plan, or the end of its line; a printed key may have commas and parentheses."""
_BLANKS = re.compile(r"\s{0,8}")
_QUOTE = re.compile(r"\\{0,8}['\"]")
_FUNCTION = re.compile(r"'\w+\(")
_IN_ARGUMENTS = re.compile(r"[,()\[\]]")
_SHORTEST = 16
"""Bytes of a key (`AesDecrypt`, `AesEncrypt`: 16, 24 or 32)."""


def without_cipher_keys(text: str) -> str:
    """Return a text without literals as keys of ciphers.

    >>> without_cipher_keys("SELECT aes_decrypt(c, unhex('30313233343536373839616263646566'))")
    'SELECT aes_decrypt(c, unhex(***))'
    >>> without_cipher_keys("Project [aes_encrypt(c#1, 0123456789abcdef, GCM, DEFAULT) AS x#2]")
    'Project [aes_encrypt(c#1, ***, GCM, DEFAULT) AS x#2]'
    """
    keys = [*_keys(text)]
    return masked(text, [*keys, *found_again(text, keys)])


def _keys(text: str) -> Iterator[Span]:
    for match in _CALL.finditer(text):
        at, after = _argument_end(text, match.end())
        if match["first"]:
            yield from _of_sql(text, match.end())
        if after == ",":
            blanks = _BLANKS.match(text, at + 1)
            start = blanks.end() if blanks else at + 1
            mode = _MODE.search(text, start, min(len(text), start + LONGEST))
            if mode and mode[0] != "\n":
                yield from _of_plan(text, start, mode.start())
            elif PLAN_ID.search(text, match.end() - 1, at):
                yield from _of_plan(text, start, _argument_end(text, start)[0])
            elif match["parsed"]:
                yield from _of_parsed_plan(text, start)
            else:
                yield from _of_sql(text, start)


def _of_plan(text: str, start: int, end: int) -> list[Span]:
    """Return the argument at a span, if it has no attribute and may be a key."""
    is_literal = end - start >= _SHORTEST and not PLAN_ID.search(text, start, end)
    return [(start, end)] if is_literal else []


def _of_parsed_plan(text: str, start: int) -> list[Span]:
    """Return the argument at an offset, if it refers to no column: references and functions begin with a quote."""
    end, _ = _argument_end(text, start)
    return [] if "'" in _FUNCTION.sub("(", text[start:end]) else _of_plan(text, start, end)


def _of_sql(text: str, start: int) -> list[Span]:
    """Return the quoted literals of the argument at an offset."""
    spans: list[Span] = []
    end, _ = _argument_end(text, start)
    at = start
    while (quote := _QUOTE.search(text, at, end)) is not None:
        stop = quoted(text, quote.start())
        if stop <= quote.start():
            break
        spans.append((quote.start(), stop))
        at, end = stop, max(end, _argument_end(text, stop)[0])
    return spans


def _argument_end(text: str, at: int) -> tuple[int, str]:
    """Return the offset of what ends the argument at an offset, and the character; or the end of the text."""
    depth = 0
    last = min(len(text), at + LONGEST)
    for match in _IN_ARGUMENTS.finditer(text, at, last):
        char = match[0]
        if not depth and char in ",)]":
            return match.start(), char
        depth += (char in "([") - (char in ")]")
    return last, ""
