"""Secrets out of texts, before anything stores, prints or reads them.

What is known to be a secret by its form or by the name before it becomes `***`. Bottom layer: it imports the standard
library only. A text passes these modules in this order:

* `urls`: users and passwords in URLs;
* `blocks`: private keys and other armoured blocks, webhooks;
* `vendor_tokens`: tokens with a vendor's prefix, from gitleaks' rules (`gitleaks_rules`) and a few of our own;
* `named_values`: values that follow a telling name (`names`), whatever separates them; `value_extent` finds their ends;
* `statements`, `plan_literals`: SQL and plan texts, where the secret has another place than next to its name;
* `headers`, `command_lines`: what has a form of its own;
* the user's own patterns.

Every module looks for a few literals before it applies an expression, and every search takes time linear in the text's
length: repetitions are bounded, and what was searched is not searched again.
"""

from __future__ import annotations

from .mask import MASK
from .texts import shortened, without_secrets
from .urls import without_users
from .values import OWN_WORDS, PLAIN, Redaction

__all__ = ["MASK", "OWN_WORDS", "PLAIN", "Redaction", "shortened", "without_secrets", "without_users"]
