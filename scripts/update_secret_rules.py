"""Regenerate src/eventlog_lineage/redaction/tokens/gitleaks_rules.json from a release of gitleaks.

    go mod download -json github.com/zricethezav/gitleaks/v8@v8.30.1
    python scripts/update_secret_rules.py DIR

DIR is the folder that the first command prints as `Dir`: the sources of one release, with `config/gitleaks.toml` and
`LICENSE`. The licence is copied to src/eventlog_lineage/redaction/tokens/LICENSE.gitleaks. `--check` writes nothing
and exits with 1 if the files differ from what DIR gives.

gitleaks (MIT licence) searches source code; this program searches plan texts, statements and options. What is kept is
the shape of each token:

* rules whose tokens begin with a literal (`glpat-`, `AKIA`): the literal is what a text is searched for;
* of rules that want the vendor's name before an assignment, the token, where it begins with a literal by itself;
* without the characters that have to follow (gitleaks lists those of source code), without entropy limits;
* in Python's dialect: `(?i)` in the middle of a pattern becomes a group, POSIX classes are written out.

Rules without such a literal are left out, and listed: a value of 32 hexadecimal digits is a secret only by the name
before it, and names are `redaction/names.py`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomllib

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed: it parses TOML and regular expressions alike")
from re import _constants as sre
from re import _parser as parser

FOLDER = Path(__file__).resolve().parent.parent / "src" / "eventlog_lineage" / "redaction" / "tokens"
TABLE, LICENSE = FOLDER / "gitleaks_rules.json", FOLDER / "LICENSE.gitleaks"

LEAST_PREFIX = 3
MOST_PREFIXES = 64

FOLLOWING = (
    r"""(?:[\x60'"\s;]|\\[nr]|$)""",
    r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""",
    r"""(?:$|[\\'"\x60\s<),])""",
    r"(?:[^\w-]|\z)",
    r"(?:[^a-zA-Z0-9+/]|\z)",
    r"\b",
)
"""What rules want behind a token."""
LEADING = (r"\b", r"(?:https?://)?", "(?i)")
ASSIGNED = tuple(
    rf"""(?:[ \t\w.-]{{0,20}})[\s'"]{{0,3}}{closing}(?:=|>|:{{1,3}}=|\|\||:|=>|\?=|,)[\x60'"\s=]{{0,5}}"""
    for closing in ("", ")")
)
"""What rules want between a vendor's name and a token."""
LEFT_OUT = frozenset(
    "authress-service-client-access-key curl-auth-header curl-auth-user freemius-secret-key generic-api-key"
    " gitlab-session-cookie jwt jwt-base64 kubernetes-secret-yaml microsoft-teams-webhook nuget-config-password"
    " private-key sidekiq-sensitive-url slack-webhook-url".split()
)
"""Rules of names, headers, blocks and URLs, which the other modules have; and one with the prefix `ext_`."""


def main() -> int:
    """Write the table and the licence."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, metavar="DIR")
    arguments.add_argument("--check", action="store_true", help="compare only")
    given = arguments.parse_args()
    config = tomllib.loads((given.folder / "config" / "gitleaks.toml").read_text())
    version = given.folder.name.rpartition("@")[2] or "unknown"
    kept, left = tokens_of(config["rules"])
    rules = ",\n".join(json.dumps(rule) for rule in kept)
    table = f'{{"source": "gitleaks {version} (config/gitleaks.toml)",\n"rules": [\n{rules}\n]}}\n'
    files = {TABLE: table, LICENSE: (given.folder / "LICENSE").read_text()}
    print(f"{len(kept)} rules kept; left out, as no literal begins their tokens: {', '.join(left)}", file=sys.stderr)
    if given.check:
        return int(any(not path.exists() or path.read_text() != text for path, text in files.items()))
    for path, text in files.items():
        path.write_text(text)
    return 0


def tokens_of(rules: list[dict[str, Any]]) -> tuple[list[tuple[str, tuple[str, ...], str]], list[str]]:
    """Each rule's name, prefixes and pattern; and the names of rules that have none."""
    kept, left = [], []
    for rule in sorted(rules, key=lambda rule: str(rule["id"])):
        if "regex" not in rule or rule["id"] in LEFT_OUT:
            continue
        found = [(prefixes, token) for token in map(python, tokens(rule["regex"])) if (prefixes := prefixes_of(token))]
        kept += [(rule["id"], prefixes, token) for prefixes, token in found]
        left += [] if found else [rule["id"]]
    return kept, left


def tokens(pattern: str, flag: str = "") -> Iterator[str]:
    """The alternatives of a rule, each without what has to stand before and behind the token."""
    if pattern.startswith("(?i)"):
        flag, pattern = "(?i)", pattern.removeprefix("(?i)")
    for alternative in alternatives(pattern):
        bare = stripped(alternative)
        inner = grouped(bare)
        if inner is None:
            yield flag + bare
        else:
            yield from tokens(inner, flag)


def stripped(token: str) -> str:
    """A token's pattern alone."""
    for assigned in ASSIGNED:
        token = token.rpartition(assigned)[2]
    before = ""
    while before != token:
        before = token
        for leading in LEADING:
            token = token.removeprefix(leading)
        for following in FOLLOWING:
            token = token.removesuffix(following)
    return token


def grouped(pattern: str) -> str | None:
    """What a group holds that is the whole pattern; None for anything else."""
    match = re.match(r"\((?:\?:|(?!\?))", pattern)
    if match is None or not pattern.endswith(")"):
        return None
    inner = pattern[match.end() : -1]
    return inner if group_end(pattern, 0) == len(pattern) - 1 else None


def group_end(pattern: str, at: int) -> int:
    """Where the group ends that is open at `at`, or that begins there."""
    depth = 0 if pattern[at] == "(" else 1
    for place, char in structure(pattern, at):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if not depth:
            return place
    return len(pattern)


def structure(pattern: str, at: int = 0) -> Iterator[tuple[int, str]]:
    """The characters of a pattern, with their places, that are neither escaped nor in a class."""
    in_class = False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            if pattern.startswith("[:", at):
                at = pattern.index(":]", at) + 1
            in_class = char != "]" or pattern.startswith("[:", at - 1)
        elif char == "[":
            in_class = True
            at += pattern.startswith("]", at + 1)
        else:
            yield at, char
        at += 1


def alternatives(pattern: str) -> Iterator[str]:
    """The alternatives at the top of a pattern."""
    begin = depth = 0
    for place, char in structure(pattern):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "|" and not depth:
            yield pattern[begin:place]
            begin = place + 1
    yield pattern[begin:]


def python(pattern: str) -> str:
    """A pattern in Python's dialect: flags in the middle become groups, to the end of the group that they stand in."""
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z").replace(r"\x60", "`")
    while (at := pattern.find("(?i)", 1)) >= 0:
        rest = pattern[at + 4 :]
        end = next((place for place, depth in depths(rest) if depth < 0), len(rest))
        pattern = f"{pattern[:at]}(?i:{rest[:end]}){rest[end:]}"
    return pattern


def depths(pattern: str) -> Iterator[tuple[int, int]]:
    """How deep the pattern is after each bracket."""
    depth = 0
    for place, char in structure(pattern):
        depth += {"(": 1, ")": -1}.get(char, 0)
        yield place, depth


def prefixes_of(pattern: str) -> tuple[str, ...]:
    """The literals, in lower case, of which one begins whatever a pattern matches; none where they are too short."""
    found = sorted({text.lower() for text, _ in literals(list(parser.parse(pattern)))})
    if not found or len(found) > MOST_PREFIXES or len(min(found, key=len)) < LEAST_PREFIX:
        return ()
    return tuple(text for text in found if not any(text != other and text.startswith(other) for other in found))


def literals(parts: list[Any]) -> list[tuple[str, bool]]:
    """The literals that a pattern can begin with, and whether what follows may be one, too."""
    found = [("", True)]
    for kind, value in parts:
        if len(found) > MOST_PREFIXES or not any(goes_on for _, goes_on in found):
            break
        following = of_part(kind, value)
        found = [
            (text + more, goes_on and on)
            for text, goes_on in found
            for more, on in (following if goes_on else [("", False)])
        ]
    return found


def of_part(kind: Any, value: Any) -> list[tuple[str, bool]]:
    """The same of one part."""
    if kind is sre.LITERAL:
        return [(chr(value), True)]
    if kind is sre.SUBPATTERN:
        return literals(list(value[3]))
    if kind is sre.BRANCH:
        return [each for branch in value[1] for each in literals(list(branch))]
    if kind is sre.IN and len(value) <= 4 and all(each[0] is sre.LITERAL for each in value):
        return [(chr(each[1]), True) for each in value]
    return [("", False)]


if __name__ == "__main__":
    sys.exit(main())
