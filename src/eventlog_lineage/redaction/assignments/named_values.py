"""Redact values that follow a sensitive name: `password=…`, `token -> …`, `"secret": "…"`, `--token …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.redaction.mask import LONGEST, MASK, Span, is_nothing, lowered, masked, offsets
from eventlog_lineage.redaction.names import (
    PARTS,
    is_address,
    is_name_of_secret,
    is_property,
    is_sensitive,
    looks_secret,
)
from eventlog_lineage.redaction.printed_literals import found_again

from . import separators as forms
from .ends import REFERENCE_CALL, bare, bracketed, closing_bracket, end_of_entry, is_label, line_end, quote_end, quoted
from .prose import (
    DATE,
    KEYS,
    NO_WORD,
    OF_BOTH,
    TURNS,
    Name,
    after_mark,
    after_masked,
    given,
    nearby,
    random_after,
    said_before,
    words_of_phrase,
)

_RUN = re.compile(r"[\w.$-]{0,4096}")
_NAME_CHARS = f"{ascii_letters}{digits}_.$-"
_INDEX = re.compile(r"\[[\w\"']{0,24}\]")
_SECOND_WORDS = frozenset((*KEYS, "code", "codes", "answer"))
_OF_PASS = re.compile(r" (word|phrase|code|string)(?=[\s:=])", re.IGNORECASE)
_OF_PHRASES = ("pass", "seed", "community")
_PLACEHOLDER = re.compile(
    r"(?:[:@][a-z_]{1,20}|[:@]?\$\d|\?|[A-Z]{2,16}(?:_[A-Z]{2,16}){0,4}_(?:TOKEN|PASSWORD|SECRET|KEY))$|\$\{(?:\?|env[:.])?[A-Z][A-Z0-9_]{1,64}\Z|([$%])[A-Z][A-Z0-9_]{1,64}%?$"
    r"|(?:self\.)?tokeniz\w{1,8}[.(][^\s]{0,64}$"
)
"""A parameter of a statement or of a file, a variable, a call of a tokenizer: `:p`,
`$1`, `${DB_PASSWORD}`, `%DB_PASSWORD%`, `DB_PASSWORD`."""
_REFERENCE = re.compile(
    r"(?:os\.(?:environ(?:\.get)?|getenv)|System\.getenv|process\.env)[\[(]\s?[\"']\w{1,64}[\"']\s?[\])]"
    r"|\$?\{\{\s?(?:[a-z]\w{0,32}(?:[./][\w-]{1,128}){1,8}|[a-z]{1,32}(?:_[a-z]{1,32}){1,8}|env_var\([\"']\w{1,64}[\"']\))\s?\}\}"
    r"|\"?\$\((?:vault|op|aws|gcloud|az|kubectl|pass|security|bw|gopass|chamber|doppler|sops|cat) [^()<\n]{1,256}\)\"?"
    rf"|{REFERENCE_CALL}"
    r"|!(?:Ref|GetAtt|Sub)\s[\w.${}:-]{1,128}"
    r"|(?:(?:var|local|module|data)(?:\.\w{1,64}){1,8}(?:\[\"\w{1,64}\"\])?"
    r"|(?:vault|op|ssm|azkv|secretsmanager|keyring):[\w./-]{3,128}(?:#\w{1,64})?"
    r"|n/a|unset|tbd|keytab|ccache|<(?:hidden|redacted|none)>|\((?:none|hidden)\)"
    r"|not (?:set|needed|required|used|available|given|shown)|ask [A-Z]\w{1,20}"
    r"|see (?:the )?(?:wiki|vault|docs|confluence|keepass|1password|ticket|readme|above|below|handbook))"
    r"(?=[\s,;.)}]{0,3}(?:\n|$))",
    re.IGNORECASE,
)
"""Where a secret is, or that there is none: `os.environ["DB_PASSWORD"]`, `{{secrets/scope/name}}`, `see the wiki`."""
_DENIES = (" no", " near", "unexpected", "unrecognized", "extraneous", "mismatched")
"""Before a word other than a name: `it is no secret`, `syntax error at or near token 'GROUP'`."""
_OF_DATE = re.compile(r"\b(?:date|datum|fecha|data|дата)\b[^\n:=,;]{0,64}[:=]\s?$", re.IGNORECASE)
"""Before the name of a secret whose day follows: `fecha de cambio de la contraseña`."""
_COLUMN = re.compile(rf"\w{{1,64}}(?:\.\w{{1,64}}){{1,3}}$|[\w(]{{1,128}}(?P<id>{ID})$")
_FIELDS = re.compile(r"\((?:[^\s,()#'\"]{1,64},\s?){1,4}(?P<last>[^\s,()#'\"]{6,512})\)")
_TUPLES = re.compile(
    r"(?:\b[A-Z][a-z]\w{0,40}|spec)\((?:\([^()\n]{0,512}\), ?){0,64}\($"
    r"|(?<!\()\([\w.]{1,64},[^\s(),][^(),\n]{0,512}\)(?:, ?|\n)\($|(?P<first>(?:^|[\[{=:]\s?)\($)"
)
"""The beginning of a list of pairs."""
_LONGEST = 262_144
"""Characters of a text that is searched again for the values that it names."""
_JOINTS = str.maketrans("", "", "._-")
_MOST_BLANKS = 3
_MOST_ALIGNED = 64
"""Blanks after a setting in `spark-defaults.conf`."""
_NO_VALUE: Span = (0, 0)
"""What a reader returns whose form a name has, without a secret."""
_IN_TAG = re.compile(r"<[\w:]{1,40}\s[^<>]{0,400}$")
_TAIL = re.compile(r"(?<=[_-])[A-Za-z0-9]{16,512}$|(?<=\$)[\w$]{16,512}$")
_BOTH = re.compile(r" (/|and|und|&) ")
_MORE = re.compile(r"(?:, ?(?P<value>[^\s,;()\[\]{}\"'`]{6,512})(?=[,\])'\"]|\s|$)){1,64}")
"""Further values of a plural: `passwords: x, y`."""
_LISTED = re.compile(
    r"(?:(?:\[|\bin\s?\()[\"']\w{1,64}[\"'],\s?|\bSELECT (?=\")"
    r"|\.(?:drop(?:_?duplicates)?|select|group_?by|order_?by|sort|with_?column_?renamed|cube|rollup)\(\[?)"
    r"(?:[\"']\w{1,64}[\"'],\s?){0,64}[\"']$",
    re.IGNORECASE,
)
"""What is before a name in a list of names: `["id","token","country"]`, `drop("token","country")`."""
_CONTINUED = re.compile(r"\\\n[ \t]{0,16}\S{1,4096}")
_ITEMS = re.compile(r"(?:\n[ \t]{0,64}- [^\s]{1,4096}(?=\n|$)){1,64}")
_INDENTED = re.compile(r"\n(?P<blanks>[ \t]{0,64})(?P<item>- )?[^\s][^\n]{0,4096}")


def without_named_values(text: str, plain: str) -> str:
    """Return a text without the values that follow sensitive names.

    Args:
        text: Any text.
        plain: The text with undisguised names, see `names.undisguised`.
    """
    spans = list(_spans(plain))
    unlike_words = [span for span in spans if _is_unlike_words(text[slice(*span)].strip("'\""))]
    again = found_again(text, unlike_words) if unlike_words and len(text) <= _LONGEST else ()
    return masked(text, [*spans, *again])


def _spans(text: str) -> Iterator[Span]:
    lower = lowered(text)
    done = 0
    for at in sorted(at for part in PARTS if part in lower for at in offsets(lower, part)):
        if at >= done:
            name = _name_at(text, at)
            start, end = _secret(name) or _NO_VALUE
            if end > start:
                yield start, end
            done = max(name.end, at + 1, end)


def _secret(name: Name) -> Span | None:
    return (_value(name) if is_sensitive(_with_kind(name)) else random_after(name)) or _random_end(name)


def _is_unlike_words(value: str) -> bool:
    """Return whether a value is other than a word, a name or an address: a secret wherever its text has it."""
    return NO_WORD.match(value) is not None and not is_address(value)


def _name_at(text: str, at: int) -> Name:
    run = _RUN.match(text, at)
    end = at + len(run[0].rstrip("-.$")) if run else at
    before = text[max(0, at - 64) : at]
    return Name(text, at - len(before) + len(before.rstrip(_NAME_CHARS)), end)


def _with_kind(name: Name) -> str:
    """Return a name with the word before it, if it is written as two words: `API key`."""
    if name.words.lower() in _SECOND_WORDS:
        before = name.before[-21:]
        kind = before[len(before[:-1].rstrip(_NAME_CHARS)) : -1] if before.endswith(" ") else ""
        return f"{kind}_{name.words}" if kind else name.words
    if name.words.lower() in _OF_PHRASES and (rest := _OF_PASS.match(name.text, name.end)):
        return f"{name.words}_{rest[1]}"
    return name.words


def _value(name: Name) -> Span | None:
    """Return the span of a sensitive name's value; None if it has none."""
    text = name.text
    if (
        text.startswith("#", name.end)
        or _is_of_resource(name.before)
        or name.text[max(0, name.start - 16) : name.start].lower().rstrip(" '\"`").endswith(_DENIES)
    ):
        return None
    rest = _OF_PASS.match(text, name.end) if name.words.lower() in _OF_PHRASES else None
    end = rest.end() if rest else name.end
    index = _INDEX.match(text, end)
    end = index.end() if index and forms.SEPARATOR.match(text, index.end()) else end
    for read in _READERS:
        span = read(name, end)
        if span is not None:
            return span
    return None


def _is_of_resource(before: str) -> bool:
    """Return whether a text ends within the name of a resource of AWS: `arn:aws:secretsmanager:eu-west-1:1234:`."""
    word = before[-128:].rpartition(" ")[2].lstrip("\"'(=")
    return word.startswith("arn:") and word.endswith(":")


def _of_pair(name: Name, end: int) -> Span | None:
    pair = forms.PAIR.match(name.text, end)
    if pair is None or (pair["element"] and pair[0][0] not in ":<" and not _IN_TAG.search(name.before)):
        return None
    if pair["element"]:
        return _element(name.text, pair.end())
    return _after_separator(name, pair.end(), ": ", colon=False) or _NO_VALUE


def _separated(name: Name, end: int) -> Span | None:
    separator = forms.SEPARATOR.match(name.text, end)
    if separator is None:
        return None
    span = _after_separator(name, separator.end(), separator[0].lstrip(), colon=bool(separator["colon"]))
    return span if span or "\n" in separator[0] else _NO_VALUE


def _of_element(name: Name, end: int) -> Span | None:
    if name.text[end : end + 1] not in "> &" or not forms.BEFORE_ELEMENT.search(name.before[-24:]):
        return None
    element = forms.ELEMENT.match(name.text, end)
    if element is None:
        return None
    at = element.end()
    items = forms.ITEMS.match(name.text, name.text.find("<", at)) if name.words[-1:] in "sS" else None
    return (at, items.end()) if items else _element(name.text, at)


def _of_heading(name: Name, end: int) -> Span | None:
    """Return the line after a name that is a heading: `## Password`, or a line below it."""
    heading = forms.HEADING.match(name.text, end)
    lone = forms.LONE.match(name.text, heading.end()) if heading else None
    if heading is None or lone is None:
        return None
    line = name.before.rpartition("\n")[2]
    is_heading = line.lstrip().startswith(("#", "*", "_")) or heading[0].strip("\n \t:")
    return lone.span() if is_heading and is_label(line) else None


def _after_quote(name: Name, end: int) -> Span | None:
    """Return a value in `password 'x'`, `setPassword("x")`, `map('password', 'x')`."""
    text = name.text
    before = forms.BEFORE_QUOTE.match(text, end)
    if before is None:
        return None
    stop = quote_end(text, before.end())
    value = text[before.end() : stop].strip("\"'")
    listed = value.isidentifier() and value.islower() and _LISTED.search(name.before) is not None
    is_name = is_name_of_secret(value)
    is_column = before[0][:1] == value[:1] == "`"
    if is_name or is_column or listed or text[stop : stop + 5].lstrip().startswith(("=", ":", "->")):
        return _NO_VALUE
    return before.end(), bare(text, stop)


def _of_tuple(name: Name, end: int) -> Span | None:
    """Return a value in `OptionList(List((user,etl), (password,x)))`, as Scala prints pairs."""
    pairs = _TUPLES.search(name.before) if name.text.startswith(",", end) else None
    if pairs is None:
        return None
    stop = closing_bracket(name.text, end + 1)
    is_only = pairs["first"] and not name.text.startswith((",(", ", (", "\n("), stop + 1)
    if is_only and not forms.PROPERTY.fullmatch(name.words):
        return None
    return (end + 1, stop) if stop > end and not is_nothing(name.text, end + 1, stop) else _NO_VALUE


def _of_fields(name: Name, end: int) -> Span | None:
    """Return the last field of a printed object, if it looks like a secret: `Credentials(etl,hunter2)`."""
    fields = _FIELDS.match(name.text, end) if not name.words.isupper() and name.words[:1].isupper() else None
    is_value = fields and (looks_secret(fields["last"]) or NO_WORD.match(fields["last"]))
    return fields.span("last") if fields and is_value else None


def _random_end(name: Name) -> Span | None:
    """Return the random end of a name: `apikey_x`, as in paths."""
    tail = _TAIL.search(name.words)
    if tail is None or not TURNS.search(tail[0]) or not is_sensitive(name.words[: tail.start() - 1].partition("$")[0]):
        return None
    return name.start + tail.start(), name.end


def _after_separator(name: Name, at: int, separator: str, *, colon: bool) -> Span | None:
    """Return a value after `=`, `:` or a similar separator; after a colon, a type is not a value.

    Args:
        name: The name.
        at: The offset after the separator.
        separator: The separator.
        colon: Whether it is a colon.
    """
    text = name.text
    if colon and (annotation := forms.ANNOTATION.match(text, at)):
        at = annotation.end()
    if reference := _REFERENCE.match(text, at):
        return reference.end(), reference.end()
    if _is_masked_tuple(text, at, separator):
        return None
    if (stop := _end_of_set(text, at) if separator.strip() == "," else bracketed(text, at)) > at:
        return at, stop
    if before := forms.BEFORE_VALUE.match(text, at):
        at = before.end()
    if text.startswith("(", at) and forms.NAMED_INSIDE.match(text, at):
        return None
    return _without_brackets(name, at, separator, colon=colon)


def _without_brackets(name: Name, at: int, separator: str, *, colon: bool) -> Span | None:
    """Return a value in quotes, in the lines that follow, or bare.

    Args:
        name: The name.
        at: The offset of the value.
        separator: The separator.
        colon: Whether it is a colon.
    """
    text = name.text
    if (stop := quoted(text, at)) > at:
        return (at, stop) if not is_nothing(text, at, stop) else None
    if colon and (lines := _in_lines(name, at, separator)):
        return lines
    return None if _is_no_value(text, at, separator, colon=colon) else _bare_value(name, at, separator)


def _is_masked_tuple(text: str, at: int, separator: str) -> bool:
    """Return whether a tuple at an offset has a mask, in the place of its secret: `(a, password) = ('b', ***)`."""
    return (
        separator.startswith(")") and text.startswith("(", at) and MASK in text[at : text.find(")", at, at + LONGEST)]
    )


def _is_no_value(text: str, at: int, separator: str, *, colon: bool) -> bool:
    """Return whether an address, a type, a date of a change, or an ordinary word of the next line follows a separator.

    Args:
        text: The text.
        at: The offset after the separator.
        separator: The separator.
        colon: Whether it is a colon.
    """
    is_date = DATE.match(text, at) and _OF_DATE.search(text[max(0, at - 96) : at])
    if is_date or text.startswith("//", at) or (colon and forms.TYPE.match(text, at)):
        return True
    return "\n" in separator and not forms.LONE.match(text, at)


def _end_of_set(text: str, at: int) -> int:
    """Return the end of the value of `SetCommand (name,Some(a)b))`, which may have brackets: it ends with its line."""
    line_end = text.find("\n", at)
    line_end = len(text) if line_end < 0 else line_end
    return line_end - 1 if text.endswith("))", at, line_end) else bracketed(text, at)


def _bare_value(name: Name, at: int, separator: str) -> Span | None:
    """Return an unquoted value after a separator; none if it is a column or nothing."""
    text = name.text
    end = bare(text, at, percent="%3" in separator)
    is_count = name.words[-1:] in "sS" and text[at:end].isdigit()
    if is_count or is_nothing(text, at, end) or _PLACEHOLDER.match(text, at, end) or _is_column(name, at, end):
        return None
    header = _of_header(name, at)
    if header is not None and "=" not in separator:
        return header
    if header is not None:
        at, end = header[0], max(header[1], end) if header[1] > header[0] else header[0]
    return at, end_of_entry(text, at, _end_of_several(name, end), name.start, separator)


def _of_header(name: Name, at: int) -> Span | None:
    """Return the span of an unquoted header's secret, without the scheme: `Authorization: Basic …`, `Cookie: …`."""
    text, words = name.text, name.words.lower()
    if words.endswith(("authorization", "auth")) and (scheme := forms.SCHEME.match(text, at)):
        at = scheme.end()
        parameters = forms.PARAMETERS.match(text, at)
        end = parameters.end() if parameters else bare(text, at)
        return at, at if is_nothing(text, at, end) else end
    cookies = forms.COOKIES.match(text, at, at + LONGEST) if words.endswith(("cookie", "cookies")) else None
    return cookies.span() if cookies else None


def _end_of_several(name: Name, end: int) -> int:
    """Return the end of a value in several lines, of a user and a password, of several values."""
    text = name.text
    while text.startswith("\\\n", end) and (rest := _CONTINUED.match(text, end)):
        end = rest.end()
    if both := _BOTH.match(text, end):
        end = bare(text, both.end())  # user / password: etl / x
    more = _MORE.match(text, end) if name.words[-1:] in "sS" or text.startswith("(s)", name.end) else None
    return more.end() if more and NO_WORD.match(more["value"]) else end


def _in_lines(name: Name, at: int, separator: str) -> Span | None:
    """Return a value of YAML in the lines after its name: a block, what is indented more, a list after prose."""
    text = name.text
    line = text.rfind("\n", 0, name.start) + 1
    before = text[line : name.start]
    indent = len(before) - len(before.lstrip(" \t"))
    if block := forms.YAML_BLOCK.match(text, at):
        at = block.end()
        is_whole = is_nothing(text, at, line_end(text, at))
        return None if is_whole else (at, max(_end_of_lines(text, at, indent), line_end(text, at)))
    if "\n" not in separator:
        return None
    if before.strip(" \t-\"'"):
        items = _ITEMS.match(text, text.rfind("\n", name.end, at))
        return (at, items.end()) if items else None
    end = _end_of_lines(text, at, indent)
    return (at, end) if end > at and not _are_settings(text[at:end]) else None


def _are_settings(lines: str) -> bool:
    """Return whether all lines are settings about a secret: `min_length: 14`, `enabled: true`."""
    entries = (line.partition(":") for line in lines.splitlines())
    return all(is_property(key) or value.strip() in ("true", "false") for key, _, value in entries)


def _end_of_lines(text: str, at: int, indent: int) -> int:
    """Return the end of the lines from an offset that are indented more."""
    end = at
    for item in _INDENTED.finditer(text, text.rfind("\n", 0, at), at + LONGEST):
        if item.start() > end or len(item["blanks"]) + bool(item["item"]) <= indent:
            break
        end = item.end()
    return end


def _after_blank(name: Name, end: int) -> Span | None:
    """Return a value after a blank: of a flag, of Spark's settings, after a tab, in a `.netrc` or a Dockerfile."""
    text, before = name.text, name.before
    is_flag = name.words.startswith("-") and not before[-1:].strip(" \t\n\"'[(=,")
    begin = end + (is_flag and before[-2:].strip() in ("[", ",") and text.startswith(",", end))
    blanks = text[begin : begin + _MOST_ALIGNED]
    blanks = blanks[: len(blanks) - len(blanks.lstrip(" \t"))]
    at = begin + len(blanks)
    if not _is_before_blank(name, blanks, is_flag=is_flag) or forms.KEYWORD.match(text, at):
        return None
    stop = max(quoted(text, at), bare(text, at))
    return at, stop if is_flag else end_of_entry(text, at, stop, name.start, blanks if "\t" in blanks else "=")


def _is_before_blank(name: Name, blanks: str, *, is_flag: bool) -> bool:
    """Return whether a name may be separated from its value by blanks.

    Args:
        name: The name.
        blanks: The blanks after it.
        is_flag: Whether it is a flag.
    """
    if not blanks or is_flag:
        return bool(blanks)
    if forms.TYPE.match(name.text, name.end + len(blanks)):
        return False
    if forms.PROPERTY.fullmatch(name.words) or forms.OPTION.fullmatch(name.line):
        return True
    return "\t" in blanks or forms.BEFORE_NAME.search(name.before[-160:]) is not None


_READERS = (
    words_of_phrase,
    said_before,
    after_masked,
    _of_pair,
    _of_heading,
    _of_element,
    _separated,
    _after_quote,
    _after_blank,
    _of_tuple,
    _of_fields,
    given,
    after_mark,
    nearby,
)
"""The forms of a name and its value, in order: None if it is another one."""


def _element(text: str, at: int) -> Span:
    """Return the value in `<password>x</password>`, up to the end of a truncated text."""
    encoded = text.endswith("&gt;", 0, at)
    stop = (forms.ENCODED_ELEMENT_END if encoded else forms.ELEMENT_END).search(text, at, at + 4096)
    return at, stop.start() if stop else min(len(text), at + 4096)


def _is_column(name: Name, at: int, end: int) -> bool:
    """Return whether a value is a column, as in `SET t.password = s.password`, or a key: `db-creds:password`.

    Delta's MERGE prints `` `password` = other#5 ``; elsewhere a literal may be like an attribute.
    """
    text = name.text
    column = text[at:end].rpartition(".")[2].partition("#")[0]
    if name.words.lower().endswith(OF_BOTH) and is_name_of_secret(text[at:end]):
        return True
    match = _COLUMN.match(text, at, end)
    is_assigned = match is not None and match["id"] is not None and text.startswith("` = ", name.end)
    is_same = is_sensitive(column) or name.words.rpartition(".")[2].lower() == column.lower()
    return match is not None and (is_same or is_assigned)
