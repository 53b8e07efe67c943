"""Redact all kinds of secrets in a text."""

from __future__ import annotations

from functools import lru_cache

from .assignments.named_values import without_named_values
from .blocks import without_blocks
from .cipher_keys import without_cipher_keys
from .command_lines import without_arguments
from .http_headers import without_credentials
from .mask import LONGEST, lowered
from .plan_literals import without_literals_of_maps
from .statements import without_identifications, without_inserted, without_option_keys
from .tokens.vendor_tokens import without_vendor_tokens
from .urls import without_connection_users, without_cut_user, without_encoded_users, without_pgpass
from .words import Kind, kinds_of

_MOST_PASSES = 8


def without_secrets(text: str) -> str:
    """Return a text with `***` instead of its secrets.

    A mask can make other text a secret, so a text is searched until it does not change.
    """
    for _ in range(_MOST_PASSES):
        before, text = text, _once(text)
        if text == before:
            break
    return text


def _once(text: str) -> str:
    kinds, tokens = kinds_of(text)
    if "@" in text:
        text = without_connection_users(text)
    if "%" in text:
        text = without_encoded_users(text)
    text = without_cut_user(text)
    return _without(text, kinds, tokens) if kinds else text


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
    masked = without_secrets(text)
    return (masked[:-LONGEST] if len(text) > longest + 2 * LONGEST else masked)[:longest]


def _without(text: str, kinds: Kind, tokens: list[str]) -> str:
    if kinds & Kind.BLOCK:
        text = without_blocks(text)
    if kinds & (Kind.TOKEN | Kind.RANDOM):
        text = without_vendor_tokens(text, tokens)
    if kinds & Kind.HEADER:
        text = without_credentials(text)
    named = kinds & Kind.NAME or (kinds & Kind.KEY and kinds & Kind.KEY_OF)
    if named:
        text = without_named_values(text, lowered(text))
        text = without_literals_of_maps(text)
        text = without_inserted(text) if kinds & Kind.VALUES else text
    if kinds & Kind.KEY and kinds & Kind.OPTIONS:
        text = without_option_keys(text)
    if kinds & Kind.STATEMENT:
        text = without_cipher_keys(without_identifications(text))
    if kinds & Kind.PGPASS:
        text = without_pgpass(text)
    return without_arguments(text) if named or kinds & Kind.FLAG else text
