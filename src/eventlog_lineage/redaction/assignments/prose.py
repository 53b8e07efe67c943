"""Find secrets in prose near a sensitive name: `the password for etl is x`, `pwd x`, `use x as password`."""

from __future__ import annotations

import re
from typing import NamedTuple

from eventlog_lineage.redaction.mask import MASK, Span
from eventlog_lineage.redaction.names import (
    is_address,
    is_long_number,
    is_name_of_secret,
    is_property,
    looks_secret,
)

from .ends import quote_end
from .separators import TYPE

KEYS = ("key", "keys")
_SHORTEST_QUOTED = 6
_NEAR = 640
_FAR = 80
_MOST_WORDS_BETWEEN = 10
_LONG = 20
_NEXT = re.compile(
    r"(?P<line>\n)?"
    r"(?:\(\w{1,20}\)(?= \|)|,(?! (?!it\b|now\b|is\b|last\b))|;|(?<= )#|</?[a-z]{1,8}>|[^\w,;)\]}#$]){0,40}"
    r"(?P<value>\d{3,4}[ -]\d{3,4}(?![\w-])"
    r"|(?=\S{0,128}[+=])(?=\S{0,128}/)(?=\D{0,64}\d)(?=[^A-Z]{0,64}[A-Z])[A-Za-z0-9+/]{10,512}={0,2}(?![\w.])"
    r"|(?:[^\s\"'`,;()<>\[\]{}|#/]|#(?!\d)){1,512})(?P<after>,(?! (?:it|now|is|last)\b)|[;)#/])?"
)
"""A word, or Base64, without the marks around it."""
_KEYWORDS_BETWEEN = frozenset(
    "from as in not and or like between order group where then else end when asc desc null on limit"
    " union join inner left right full cross having into values comment default select partition over".split()
)
TURNS = re.compile(r"(?=[^\s]{8})(?:[^\s\d]*[A-Za-z]\d|[^\sA-Za-z]*\d[A-Za-z])(?:\S*?(?:[A-Za-z]\d|\d[A-Za-z])){2}")
"""Letters and digits in turn, at least three times."""
_QUOTES = frozenset("'\"")
_INTRODUCES = frozenset(
    "value be is was got to with using now from lautet ist est es är to jest è é este je er"
    " sunt on olla jsou są هي هو है adalah là".split()
)
_PROSE = tuple(
    "password passwd passwort pwd passphrase passcode kennwort wachtwoord parola senha pw pin"
    " contraseña contrasena clave hasło haslo heslo lösenord lösenordet jelszó adgangskode adgangskoden passord"
    " passordet salasana parool lozinka geslo şifre пароль __".split()
)
"""Ends of names after which a word of prose is a value: `the password is x`; `the secret is out` has none."""
_OF = frozenset(
    "for of de du del da do di para pour für von voor för per to at on is was changed set reset rotated updated".split()
)
_NEAR_AS = 32
"""Characters from `as` or `for` to a name."""
_GIVES = re.compile(r"\b(?:use|with(?: [\w.@-]{1,64} /)?|user(?:name)? [^\s,]{1,64},?(?: and)?) $", re.IGNORECASE)
_GIVEN = re.compile(
    r" (?P<value>(?=[^\s,;)]{0,64}[^a-z\s,;)]|[a-z]{6,64}(?:[.,;)\n]|$| until\b))"
    r"(?![A-Z]{1,64}\b|[^\s=:(]{1,64}[=:(])[^\s\"'`,;()#]{6,512})"
)
"""`login as etl with password Foxglove-bell`, `(user etl, password Falcon!)`: no type or option.

A plain word is one only before the end of the clause."""
_ENDS_CLAUSE = re.compile(
    r"[\"'`]?(?:\s{0,3}(?:[^\w\s]|\n|$)|\s(?:for|to|in|on|when|and|until|of|at|but|since|please|pls|plz|bitte)\b)"
)
_BEFORE = re.compile(
    r"(?:\b(?i:us(?:es?|ed|ing)|with|set|enter|type|choose|tr(?:y|ied)|accepts?) [\"'`]?(?P<used>[^\s\"'`,;()]{5,512})"
    r"[\"'`]?|(?P<mark>[\"'`])(?P<given>[^\"'`\n]{1,512})(?P=mark)(?: \w{2,12}(?:ed|en)| set)?)"
    r" {1,3}as (?:(?:the|an?|its|my|your|our|their|new) )?(?:\w{2,16}[ /])?[\"'`]?$"
    r"|\bvalue:? [\"'`]?(?P<refused>[^\s\"'`,;()]{3,512})[\"'`]? for"
    r" (?:configuration|property|setting|option|parameter|field|key|argument|variable|header) [\"'`]?$"
    r"|(?P<around>[\"'])(?P<entry>[^\"'\n]{1,512})(?P=around) for (?:key|column|field) [\"'`]?$"
    r"|<[^<>]{1,200}?\b(?:value|content|val|default)\s?=\s?(?P<quote>[\"'])(?P<attribute>[^\"'<>]{1,512})(?P=quote)"
    r"[^<>]{0,80}?\b(?:name|key|id|property|field)\s?=\s?[\"']$"
)
"""`use x as password`, `Duplicate entry 'x' for key 't.api_key'`, `<meta content="x" name="password">`."""
NO_WORD = re.compile(
    r"(?=\S*[^\W\d_])(?=\S*[\d@!#$%^&*+~])[^\s/=:]{6,512}$|(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+][\w+/.-]{7,512}=*$"
    r"|[^\W_]{2,32}(?:(?P<joint>[._-])[^\W_]{2,32})(?:(?P=joint)[^\W_]{2,32}){1,8}$|[A-Z][a-zäöü]{1,32}[.+&:][A-Z][a-zäöü]{1,32}$"
)
"""A text with letters and other characters, Base64, several words joined."""
_MARK = re.compile(
    r"(?:\||<<|(?P<dash>[ \t]{1,3}[-\u2013\u2014][ \t]{1,3})"
    r"|[ \t](?:(?:[\w.@-]{1,64}[ \t]){0,5}?(?P<changed>changed|rotated|updated|reset|switched)[ \t])?"
    r"from[ \t](?=\S{6,512} to \S)"
    r"|(?P<user>[ \t][\w.@-]{1,64}/))"
    r"(?P<value>[^\s\"'`,;()<>|]{6,512})(?=[\"'`\n]| (?:to|at|for|on)\b|\s{0,3}$)"
)
PHRASE = re.compile(r"(?i:passphrase|phrase|mnemonic|seed)\w{0,8}$")
OF_BOTH = ("credentials", "creds", "credential")
"""Ends of names before a user and a password."""
_SAID_PHRASE = re.compile(
    r"(?:\s{1,3}(?:is|was|[-\u2013\u2014])\s{1,3}|[^\n]{0,40}?\b(?:below|following|next line|here)\b[^\n]{0,60}\n)"
    r"(?P<value>(?P<first>(?!(?:in|on|at|to|by|of|no|an|as|up|it|if|so|or|for|from|with|what)\b)[a-z]{2,12})"
    r"(?: [a-z]{1,12}){2,24})(?=\s{0,3}(?:[.,;(\"'\n]|$))"
)
_STATE = re.compile(
    r"(?:reset|policy|change|rotation|expiry|manager|overview|login|page|form|field|column|hash|vault|check|rules"
    r"|not|now|too|set|distinct|like|true|false|default|expire|the|this|that|your|their|being|been|wrong|correct|invalid|valid|empty|null|none|missing|weak|strong|only|optional"
    r"|incorrect|already|same|different|secure|plain\w{0,4}|hidden|sent|kept|known|unknown|never|always|also|still|used|about"
    r"|abgelaufen|ungültig|falsch|vergessen|geändert|gesperrt|gesetzt|leer"
    r"|prompt|\w+(?:ed|ing|ly|able|ible|ory|ary|tion|ment))$",
    re.IGNORECASE,
)
"""A word for how a password is, or what happens to it."""
_SECOND = re.compile(
    r"[\"'`]?,? (?:to|naar|auf|zu|para|por|till?|na|на|and|or|now|was|then|before|previously|formerly|not) "
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{1,512})(?P=quote)|(?P<value>[^\s\"'`,;()]{5,512}))"
)
"""A second value: `changed from x to y`, `is "x", was "y"`."""
_FROM = frozenset("from van von vom de du da fra från z ze iz из".split())
_IS = frozenset(("is", "was", "now", "set to", "=", ":"))
DATE = re.compile(r"\d{4}-\d\d-|\d{1,2}:\d\d")


class Name(NamedTuple):
    """A sensitive name in a text, and its span."""

    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        """The name."""
        return self.text[self.start : self.end]

    @property
    def line(self) -> str:
        """The line that it is in, as far as it is near."""
        return self.before.rpartition("\n")[2] + self.text[self.start : self.end + _NEAR].partition("\n")[0]

    @property
    def before(self) -> str:
        """The text before it."""
        return self.text[max(0, self.start - _NEAR) : self.start]


def given(name: Name, end: int) -> Span | None:
    """Return a value in `with password Foxglove-bell`, `user etl, password Falcon!`."""
    value = _GIVEN.match(name.text, end) if _GIVES.search(name.before[-80:]) else None
    is_word = value is not None and value["value"].islower()
    return value.span("value") if value and (not is_word or _is_value_of_prose(name, value["value"])) else None


def after_mark(name: Name, end: int) -> Span | None:
    """Return what is not a word after `password|`, `password<<`, `pwd from x to y`, and the dash of `Pwd - x`."""
    mark = _MARK.match(name.text, end)
    if mark is None or "*" in mark["value"]:
        return None
    words = name.text[name.start : end].replace(" ", "").lower()
    ends = OF_BOTH if mark["user"] else _PROSE if mark["dash"] else ""
    if not words.endswith(ends):
        return None
    if _is_word(mark["value"]) and not _is_word_said(mark):
        return None
    last = mark[0][: -len(mark["value"])].strip()[-4:]
    return mark.start("value"), _end_of_second(name.text, *mark.span("value"), last)


def _is_word_said(mark: re.Match[str]) -> bool:
    """Return whether a word after a dash, or after `changed from`, is a value."""
    is_said = (mark["dash"] and mark["value"].islower()) or mark["changed"]
    return bool(is_said) and _STATE.match(mark["value"]) is None


def _is_word(value: str) -> bool:
    """Return whether a value is a word, or several in lower case: `created_at`."""
    return value.replace("_", "").replace("-", "").isalpha()


def nearby(name: Name, end: int) -> Span | None:
    """Return a text of letters and digits in turn near a name, or one with marks next to it: prose, tables."""
    text, at, last, may_be_sql = name.text, end, "", False
    for between in range(_MOST_WORDS_BETWEEN):
        word = _NEXT.match(text, at)
        if word is None or at - end > _FAR:
            return None
        start, stop = word.span("value")
        may_be_sql = may_be_sql or word["value"].lower() in _KEYWORDS_BETWEEN
        shown = _is_said(name, word, last) if may_be_sql else _is_shown(name, word, between, last)
        if shown and not DATE.match(text, start):
            stop = _end_of_second(text, start, stop, last)
            return start, stop
        if word["after"]:
            return None
        at, last = word.end(), word["value"].lower()
    return None


def _is_said(name: Name, word: re.Match[str], last: str) -> bool:
    """Return whether a sentence ends with the secret, in a text that may be SQL: `the key in use is nd82-kq71`."""
    return last in _IS and (_is_strange(word["value"]) or _is_code(name, word["value"]))


def _end_of_second(text: str, start: int, stop: int, last: str) -> int:
    """Return the end of a value and of a second one: `changed from x to y`, `is "x", was "y"`.

    Args:
        text: The text.
        start: The offset of the value.
        stop: The end of its first word.
        last: The word before it.
    """
    is_quoted = text[start - 1] in _QUOTES
    if is_quoted and last in _INTRODUCES:
        stop = quote_end(text, start - 1) - 1
    second = _SECOND.match(text, stop)
    return second.end() if second and (second["quote"] if is_quoted else last in _FROM) else stop


def _is_shown(name: Name, word: re.Match[str], between: int, last: str) -> bool:
    """Return whether the text around a word, a few words after a name, shows that it is the value.

    Args:
        name: The name.
        word: The word.
        between: The number of words between both.
        last: The word before it, in lower case.
    """
    value, before = word["value"], name.text[word.start("value") - 1]
    if TURNS.match(name.text, *word.span("value")):
        return True
    if (last.rstrip(":") in _INTRODUCES or (last[-1:] == ":" and not is_property(last))) and not TYPE.match(
        name.text, word.start("value")
    ):
        if before in _QUOTES or _is_code(name, value) or _is_strange(value):
            return True
        return (between == 1 or _is_said_of(name, word, last)) and _is_value_of_prose(name, value)
    is_next = between < 2 and last in "056789"  # how Cisco IOS stores a secret: `enable secret 0 x`
    return is_next and not word["line"] and (_is_code(name, value) or _follows(value, before))


def _is_code(name: Name, value: str) -> bool:
    """Return whether a number is a PIN or a code."""
    value = value.replace(" ", "").replace("-", "")
    return (
        value.isdigit() and len(value) >= 4 and name.words.lower().endswith(("pin", "puk", "otp", "code", "kode", "__"))
    )


def _is_value_of_prose(name: Name, value: str) -> bool:
    """Return whether a word of a language may be a password: `the password is velvetmoon`."""
    is_value = len(value) > 4 and _STATE.match(value.rstrip(".!?")) is None and not is_name_of_secret(value)
    return is_value and name.words.lower().endswith(_PROSE)


def _is_strange(value: str) -> bool:
    """Return whether a word of prose is not one of a language: `hunter2`, `blue-tractor-moon`."""
    value = value.rstrip(".!?:#")
    if _STATE.match(value) or value.startswith("http") or is_name_of_secret(value) or is_address(value):
        return False
    return looks_secret(value) or is_long_number(value) or NO_WORD.match(value) is not None


def _is_said_of(name: Name, word: re.Match[str], last: str) -> bool:
    """Return whether a sentence ends with a word after `password for the account is`."""
    first = _NEXT.match(name.text, name.end)
    return (
        last in _INTRODUCES
        and first is not None
        and first["value"].lower() in _OF
        and (word["value"].endswith("!") or _ENDS_CLAUSE.match(name.text, word.end("value")) is not None)
    )


def _follows(value: str, before: str) -> bool:
    """Return whether a word next to a name is its value: `pwd hunter2`, `invalid token (hunter2)`."""
    value = value.rstrip(".!?:")
    if value.isdigit():
        return is_long_number(value)
    if len(value) < _SHORTEST_QUOTED or value.startswith("http"):
        return False
    is_word = before == "/" or NO_WORD.match(value) is None or is_name_of_secret(value)
    return looks_secret(value) or not is_word


def random_after(name: Name) -> Span | None:
    """Return a long random text after the word `key`, which is another kind of key before other texts."""
    word = _NEXT.match(name.text, name.end) if name.words.lower().endswith(KEYS) else None
    if word is None or len(word["value"]) < _LONG or not TURNS.match(word["value"]) or "-" in word["value"]:
        return None
    is_key = name.words.lower() in KEYS or not word["value"].isidentifier()
    return word.span("value") if is_key else None


def words_of_phrase(name: Name, end: int) -> Span | None:
    """Return the words of `pass phrase is nine crooked trees`, `Passphrase - moss tunnel eagle`."""
    words = _SAID_PHRASE.match(name.text, end) if PHRASE.search(name.text[name.start : end]) else None
    return words.span("value") if words and not _STATE.match(words["first"]) else None


def said_before(name: Name, end: int) -> Span | None:
    """Return the value in `use x as password`, `'x' for key 't.api_key'`, `<meta content="x" name="password">`."""
    near = name.text[max(0, name.start - _NEAR_AS) : name.start]
    is_near = " as " in near or " for " in near or near.endswith(('="', "='"))
    before = _BEFORE.search(name.before[-400:]) if is_near else None
    if before is None or not (before["attribute"] or _ENDS_CLAUSE.match(name.text, end)):
        return None
    start, stop = max(before.span(kind) for kind in ("refused", "used", "given", "entry", "attribute"))
    at = name.start - len(name.before[-400:])
    return at + start, at + stop


def after_masked(name: Name, end: int) -> Span | None:
    """Return the second value of `password is ***, was "x"`, `password changed from *** to x1`."""
    at = name.text.find(MASK, end, end + _FAR)
    between = name.text[end : max(at, end)].strip()
    is_changed = between.rpartition(" ")[2] in _FROM
    second = _SECOND.match(name.text, at + len(MASK)) if is_changed or between in _IS else None
    if second and is_changed and second["value"] and _is_strange(second["value"]):
        return second.span("value")
    return second.span("quoted") if second and second["quoted"] else None
