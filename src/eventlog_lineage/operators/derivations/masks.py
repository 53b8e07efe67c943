"""Recognize calls that mask a value: Spark's hashes and `mask`, and the functions that a user names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from eventlog_lineage.plan.expressions.expression import Call, Literal

from .functions import MASKS, base_name

_SEPARATOR = re.compile(r"[.#$]")
_INVOKING = frozenset(("staticinvoke", "static_invoke", "invoke"))


def mask_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a user's masking functions as `is_mask` compares them: sorted, in lower case, without `_`.

    Args:
        names: As users write them: `tokenize`, `aes_encrypt`, `org.example.Mask`.
    """
    return tuple(sorted({_plain(name) for name in names if _plain(name)}))


def is_mask(call: Call, custom: Container[str]) -> bool:
    """Return whether a call masks its arguments, `count` aside.

    Functions of users are printed by their name (`main.default.tokenize(email#1)`) or by their class
    (`HiveSimpleUDF#org.example.Mask(email#1)`), built-in ones that call Java by the method's name: `aes_encrypt` is
    `static_invoke(ExpressionImplUtils.aesEncrypt(…))` from 4.0, `staticinvoke(class …, BinaryType, aesEncrypt, …)`
    before.

    Args:
        call: The call as printed.
        custom: The user's functions, as `mask_names` returns them.
    """
    if base_name(call.function) in MASKS:
        return True
    if not custom:
        return False
    texts = [call.function]
    if call.function.lower() in _INVOKING:
        texts += [part.text for part in call.arguments if isinstance(part, Literal)]
    return any(_plain(form) in custom for text in texts for form in _forms(text.strip()))


def _forms(name: str) -> tuple[str, str, str]:
    """Return the forms of a printed name that users write: whole, the class after `HiveSimpleUDF#`, the last part."""
    return name, name.rpartition("#")[2], _SEPARATOR.split(name)[-1]


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "")
