"""Redact secrets from texts, before anything stores, prints or reads them.

Text that is a secret by its form or by the name before it is replaced by `***`. This is the bottom layer: it only
imports the standard library. A text passes these modules in this order:

* `urls`: users and passwords in URLs;
* `blocks`: private keys and other armoured blocks, webhooks;
* `vendor_tokens`: tokens with a vendor's prefix, from gitleaks' rules (`gitleaks_rules.json`) and a few of our own;
* `meetings`, `sensitive_groups`, `positions`, `groups`, `printed_literals`: literals that meet a sensitive name in a
  statement, an object or a plan, and what looks like a secret near one;
* `assignments`: values that follow a sensitive name (`names`), with any separator;
* `statements`, `cells`: users, options, variables and tables, whose secrets are not next to their names;
* `assignments.http_headers`, `command_lines`: other forms;
* the user's patterns.

Every module searches for a few literals before it applies an expression, and every search takes time linear in the
text's length: repetitions are bounded, and no text is searched twice.
"""

from __future__ import annotations

from .mask import MASK
from .texts import shortened, without_inserted_secrets, without_secrets, without_shared_secrets
from .urls import without_users
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
