"""Redact the cells below a sensitive header: tables of CSV, Markdown, HTML, and as `DataFrame.show` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .assignments.separators import LONE
from .mask import Span, is_nothing, masked
from .names import is_name_of_secret, is_secret_column

_LINE = re.compile(r"(?:[^\n\\]|\\(?!n))+")
"""A line; a literal of a statement has line feeds as escapes."""
_BLANKS = "  "
_BARS = (_BLANKS, r"\|", "│")
_CELL = {
    separator: re.compile(
        rf"[ \t]{{0,64}}(?P<cell>\"(?:[^\"\n]|\"\"){{0,4096}}\"|[^{separator}\n]{{0,4096}})(?:{separator}|$)"
    )
    for separator in (",", ";", "\t", r"\|", "│")
} | {_BLANKS: re.compile(r" {0,512}(?P<cell>[^\s](?: ?[^\s]){0,4095})(?: |$)")}
_HEADER = re.compile(r"\s{0,8}[\"'`*]{0,2}[^\W\d][\w .-]{0,63}(?:\([^()\n]{1,40}\))?[\"'`*]{0,2}[):]{0,2}\s{0,64}$")
_BEFORE_HEADER = (
    re.compile(r"[^\n]{0,200}?(?:--|/\*|//|#|')\s{0,3}(?=[\w|│\"])"),
    re.compile(r"[^\n]{0,400}(?:'|\] |: |[(\[]|, |= )\s{0,3}(?=[\w|│\"])"),
)
"""A comment or a literal begins with the header."""
_PAIRS = re.compile(
    r"^[^\w\n]{0,8}\w{2,20}[^\w\n]{1,40}(?:\w{1,20}_)?value[^\w\n]{0,40}$", re.IGNORECASE | re.MULTILINE
)
_WORD = re.compile(r"[\w$.]{2,256}")
_TAIL = re.compile(r" AS [^\n]{1,512}#\d|, [\w.`]{1,128}#\d|[)\]][^\n]{0,4096}#\d|'(?=[\s,);]|$)")
"""The rest of a line of a plan, after a literal with a table."""
_RULER = "".join(map(chr, range(0x2500, 0x2580))) + " \t\r|+:=-"
_OF_SQL = re.compile(
    r"(?!\s*\|(?!\|))(?:\s*(?:select|from|where|group|order|having|join|left|right|inner|on|and|or|union|insert|values"
    r"|set|limit|with|as)\b|.*(?:[()]|#\d{1,19}L?[,\]]))",
    re.IGNORECASE,
)
"""A line of a statement or a plan; a line in bars is one of a table."""
_CALLED = re.compile(r"\w{1,64}\((?P<name>[\w.]{1,64})\)$")
"""A header of `show` that is a call: `collect_set(password)`."""
_TYPE = re.compile(
    r"(?:string|int|integer|bigint|long|double|float|boolean|date|timestamp|decimal.*|binary)$", re.IGNORECASE
)
_ELEMENT = re.compile(r"<(?P<tag>tr|th|td)\b[^<>]{0,200}>(?P<cell>[^<]{0,4096})", re.IGNORECASE)


def without_cells(text: str) -> str:
    r"""Return a text without the cells of tables whose column has a sensitive name.

    >>> without_cells("user,password\netl,ab1cd2")
    'user,password\netl,***'
    """
    if "\n" in text or "\\n" in text or text[:1] in ("|", "│"):
        for separator in (each for each in _CELL if each.lstrip("\\") in _plain(text)):
            text = masked(text, _of_lines(_plain(text), separator))
    return masked(text, _of_elements(text)) if "<t" in text or "<T" in text else text


def _plain(text: str) -> str:
    """Return a text of the same length with one separator where tables have two characters: `||host||passwd||`."""
    text = text.replace("┃", "│").replace("║", "│")
    return text.replace("||", "| ") if text.startswith("||") or "\n||" in text else text


def _of_lines(text: str, separator: str) -> Iterator[Span]:
    places: list[int] = []
    width = 0
    lines = list(_LINE.finditer(text))
    pairs = _PAIRS.search(text)
    first = pairs.start() if pairs else len(text)
    for number, line in enumerate(lines):
        if places and not line[0].strip(_RULER):
            continue
        if places and (row := _row(text, line, separator, width)):
            yield from (row[place] for place in places if _is_secret(text, row[place]))
            continue
        width, places = _header(text, line, separator)
        record = _of_record(text, line, separator)
        around = lines[max(0, number - 1) : number + 2]
        if record and (line.start() > first or _is_alone(around, line, separator, record)):
            yield record
            places = []


def _of_record(text: str, line: re.Match[str], separator: str) -> Span | None:
    """Return the second of two cells, if the first one is a sensitive name: `| Password | x |`."""
    cells = _cells(text, *line.span(), separator)
    if len(cells) != 2 or not is_secret_column(_words(text[slice(*cells[0])])):
        return None
    value = text[slice(*cells[1])].strip("`*")
    may_be_value = LONE.match(value) is not None and _TYPE.match(value) is None and _is_secret(text, cells[1])
    return cells[1] if may_be_value else None


def _is_alone(lines: list[re.Match[str]], line: re.Match[str], separator: str, value: Span) -> bool:
    """Return whether a line of a name and its value is in bars, or aligned with one next to it, and no header.

    Args:
        lines: The line, and those before and after it.
        line: The line.
        separator: The separator of its cells.
        value: The second cell.
    """
    around = [each[0] for each in lines if each is not line]
    is_barred = line[0].startswith(("|", "│")) or _is_aligned(value[0] - line.start(), separator, around)
    return separator in _BARS and is_barred and (separator == _BLANKS or bool(lines[-1][0].strip(_RULER)))


def _is_aligned(column: int, separator: str, around: list[str]) -> bool:
    """Return whether a line before or after has a cell in the same column, too."""
    between = _BLANKS if separator == _BLANKS else f"{separator[-1]} "
    return any(each[column - 2 : column] == between and each[column : column + 1].strip() for each in around)


def _row(text: str, line: re.Match[str], separator: str, width: int) -> list[Span]:
    """Return the cells of a row of a table; the last one may be followed by the rest of a plan's line."""
    tail = _TAIL.search(line[0])
    end = line.start() + tail.start() if tail else line.end()
    cells = [] if _OF_SQL.match(text, line.start(), end) else _cells(text, line.start(), end, separator)
    if len(cells) == width + 1 and separator == _BLANKS:
        return cells[1:]  # pandas prints an index
    return cells if len(cells) == width else []


def _is_secret(text: str, cell: Span) -> bool:
    return not is_nothing(text, *cell) and not is_name_of_secret(text[slice(*cell)])


def _header(text: str, line: re.Match[str], separator: str) -> tuple[int, list[int]]:
    """Return the number of columns of a header, and the indexes of the sensitive ones; none for other lines."""
    start, end = line.span()
    if not any(map(is_secret_column, _WORD.findall(f"{line[0]}\n{line[0].replace(' ', '_')}"))):
        return 0, []
    before = (each.match(text, start, end) for each in _BEFORE_HEADER)
    for begin in (start, *(each.end() for each in before if each)):
        cells = _cells(text, begin, end, separator)
        if places := _sensitive(text, text[begin:end], cells):
            return len(cells), places
    return 0, []


def _cells(text: str, start: int, end: int, separator: str) -> list[Span]:
    """Return the cells of a line, without the blanks and the bars at both ends."""
    if text.find(separator[-1], start, end) < 0:
        return []
    cells = []
    is_open = separator in _BARS
    at = start + (is_open and text.startswith(separator[-1].strip() or "\0", start))
    end = start + len(text[start:end].rstrip(" "))
    while at < end and (match := _CELL[separator].match(text, at, end)):
        first, stop = match.span("cell")
        cells.append((first, first + len(text[first:stop].rstrip())))
        at = match.end()
    if cells and not is_open and text.startswith(separator, end - 1):
        cells.append((end, end))
    return cells


def _sensitive(text: str, line: str, cells: list[Span]) -> list[int]:
    """Return the indexes of the sensitive names in a header line; empty for a line that is not a header."""
    names = [text[start:end] for start, end in cells]
    if len(names) < 2 or _OF_SQL.match(line) or not all(map(_HEADER.match, names)) or any(map(_TYPE.match, names)):
        return []
    return [place for place, name in enumerate(names) if is_secret_column(_words(name))]


def _words(cell: str) -> str:
    """Return a cell without marks around it, as one name."""
    return _CALLED.sub(r"\g<name>", cell.partition(" (")[0].strip("\"'`*: ")).strip(")").replace(" ", "_")


def _of_elements(text: str) -> Iterator[Span]:
    """Yield the cells of HTML below, or next to, a sensitive header."""
    headers: list[str] = []
    place = 0
    for element in _ELEMENT.finditer(text):
        tag, cell = element["tag"].lower(), element["cell"].strip()
        if tag == "tr":
            place = 0
            continue
        if tag == "th" or (place and is_name_of_secret(cell)):
            headers = [*headers[:place], *[""] * (place - len(headers)), cell, *headers[place + 1 :]]
        else:
            name = headers[place] if place < len(headers) else headers[0] if len(headers) == 1 else ""
            if is_secret_column(name) and not is_nothing(text, *element.span("cell")):
                yield element.span("cell")
        place += 1


_MAP = re.compile(r"keys: \[(?P<keys>[^\]\n]{1,4096})\], values: \[(?P<values>[^\]\n]{1,8192})\]")


def without_literals_of_maps(text: str) -> str:
    """Return a text without values of literal maps: `map(keys: [user,password], values: [a,b])`."""
    return masked(text, _of_maps(text)) if "keys: [" in text and ", values: [" in text else text


def _of_maps(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _MAP.finditer(text):
        keys, values = match["keys"].split(","), match["values"].split(",")
        secret = [place for place, key in enumerate(keys) if is_secret_column(key.strip())]
        if secret and len(keys) != len(values):
            spans.append(match.span("values"))
        elif secret:
            at = match.start("values")
            for place, value in enumerate(values):
                spans += [(at, at + len(value))] if place in secret else []
                at += len(value) + 1
    return spans
