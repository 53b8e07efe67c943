"""Redact secrets from texts, before anything stores, prints or reads them.

Text that is a secret by its form or by the name before it is replaced by `***`. This is the bottom layer: it only
imports the standard library. A text passes these modules in this order:

* `secret_forms`: secrets that are shown by what is around them, declared in tables: users in addresses, then armoured
  blocks, webhooks and headers, and last statements, command lines and calls;
* `vendor_tokens`: tokens with a vendor's prefix, from gitleaks' rules (`gitleaks_rules.json`) and a few of our own;
* `meetings`, `sensitive_groups`, `positions`, `groups`, `printed_literals`: literals that meet a sensitive name in a
  statement, an object or a plan, and what looks like a secret near one;
* `assignments`: values that follow a sensitive name (`names`), with any separator;
* `cells`: tables, whose secrets are not next to their names;
* `cipher_keys`: keys in the calls of ciphers;
* the user's patterns.

Every module searches for a few literals before it applies an expression, and every search takes time linear in the
text's length: repetitions are bounded, and no text is searched twice.
"""

from __future__ import annotations

from .mask import MASK
from .secret_forms import without_users
from .texts import shortened, without_inserted_secrets, without_secrets, without_shared_secrets
from .values import OWN_WORDS, PLAIN, Redaction

__all__ = [
    "MASK",
    "OWN_WORDS",
    "PLAIN",
    "Redaction",
    "shortened",
    "without_inserted_secrets",
    "without_secrets",
    "without_shared_secrets",
    "without_users",
]
