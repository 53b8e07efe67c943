"""Divide a line of a plan or a statement into brackets and the segments within them.

Literals of plans are unquoted and may contain anything, so brackets need not match: a bracket that is not closed ends
with the text. Reading takes one pass, without recursion on the depth of brackets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from eventlog_lineage.attribute_patterns import ID

from .assignments.ends import REFERENCE_CALL
from .names import is_code, is_secret_column, may_be_name

_BRACKETS = r"(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>[,;])"
_OPERATOR = r"<=>|==|!=|<>|<=|>=|->|=>|\|\||[=<>](?![\w/]{1,64}>)"
_NEGATION = (
    r"\b(?i:(?:could|would|should|did|does|do|is|are|was|were|has|have|had)n't"
    r"|(?:unrecognized|unexpected|extraneous|mismatched) token)\b"
)
"""Words of an error's sentence: an apostrophe that opens no literal, the token of a parser."""
_PERIOD = r"\.(?!(?i:isin|isInCollection|between|substr)\()"
"""A period in a name, not before a method of a column: `df.password.isin("x", "y")`."""
_STATEMENT = re.compile(
    rf"(?P<negation>{_NEGATION})|(?P<url>\w{{1,32}}://[^\s'\",;()\[\]{{}}<>]{{1,4096}}|(?i:{REFERENCE_CALL}))|(?P<quoted>'(?:[^'\\]|''|\\.){{0,8192}}'|\"(?:[^\"\\]|\"\"|\\.){{0,8192}}\"|\$\$(?:[^\s$]|\$(?!\$)){{1,512}}\$\$)"
    rf"|{_BRACKETS}|(?P<operator>{_OPERATOR})"
    rf"|(?P<word>(?:`[^`\n]{{1,128}}`|[\w$])(?:[\w$]|{_PERIOD}|`[^`\n]{{1,128}}`)*(?P<id>(?!#0\d){ID})?)|(?P<other>\S)",
    re.DOTALL,
)
_PLAN = re.compile(
    rf"(?P<name>(?<!\w)'[\w.`]{{1,128}})(?=[\s,)\]=\[]|$)|(?P<within>[)\]}}](?=\w))|(?P<field>\.[A-Za-z_][\w$-]{{0,127}})"
    rf"|{_BRACKETS}|(?P<operator>(?<![^\s)\]])(?:{_OPERATOR})(?!\S))"
    rf"|(?P<word>END(?=#\d)|(?:`[^`\n]{{1,128}}`|[\w$])(?:[\w$.]|-(?=\w)|`[^`\n]{{1,128}}`)*(?P<id>(?!#0\d){ID})?)|(?P<tail>{ID})|(?P<other>\S)"
)
"""A closing bracket before a letter is within a literal: Spark prints a blank, a comma or another bracket after it.

It prints blanks around operators, and keywords in upper case.
"""

_ATTRIBUTE = re.compile(r"(\w{1,128})#(\d{1,19})(?![\w#])")
_DIVIDES = frozenset("and or".split())
CLAUSES = frozenset(
    "select from where group order having on join union intersect except minus limit lateral qualify insert update"
    " delete merge when then else end set values with window returning".split()
)
_QUOTED_NAME = re.compile(r"\b(?:FROM|JOIN)\s{1,9}\"\w{1,128}\"")
"""A table in double quotes: a statement of this dialect has names in them, as those that Spark sends to databases."""
_NO_ITEMS = frozenset("distinct all not".split())
"""Words before an item of a SELECT."""
_CASE_PARTS = frozenset("when then else".split())


@dataclass(slots=True)
class Token:
    """A word, a literal, an operator or another character.

    Attributes:
        kind: `word`, `negation`, `id` (an attribute with its id), `quoted`, `operator`, `other`, `name` (an attribute
            that a parsed plan has not resolved).
        text: The characters.
        start: Its offset.
        end: The offset after it.
    """

    kind: str
    text: str
    start: int
    end: int


_COUNTS = ("count", "length", "len", "char", "size", "approx", "octet")
"""Beginnings of functions whose value is a number of values or characters."""


@dataclass(slots=True)
class Segment:
    """The text between two separators: an argument, an item of a list, a side of AND.

    Attributes:
        lead: The keyword before it, in lower case: `when`, `select`; empty after a bracket or a comma.
        clause: The clause that it belongs to: `select`, `values`.
        parts: The tokens and brackets.
        masked: Whether the literals within it are masked.
        sensitive: Whether it has a sensitive name, or a value that comes from one.
        compares: Whether it is a comparison, so that its value is a boolean.
        short: Whether a short number in it may be a secret: it has a code, or a concatenation.
        placed: Whether it is the value of a sensitive column by its place in a row; none if its column is not known.
    """

    lead: str
    clause: str
    parts: list[Token | Group] = field(default_factory=list)
    masked: bool = False
    sensitive: bool = False
    compares: bool = False
    short: bool = False
    placed: bool | None = None

    @property
    def tokens(self) -> list[Token]:
        """The tokens that are in no brackets."""
        return [part for part in self.parts if isinstance(part, Token)]

    @property
    def brackets(self) -> list[Group]:
        """The brackets directly within it."""
        return [part for part in self.parts if isinstance(part, Group)]

    @property
    def words(self) -> list[str]:
        """The text of each part in lower case, empty for brackets."""
        return [part.text.lower() if isinstance(part, Token) else "" for part in self.parts]

    @property
    def first(self) -> Token | None:
        """The first part, if it is a token."""
        return first if self.parts and isinstance(first := self.parts[0], Token) else None

    @property
    def has_code(self) -> bool:
        """Whether it has a code, other than in a count or a length, or a concatenation."""
        return any(map(_is_code, self.parts))

    @property
    def only(self) -> Token | None:
        """The token that it consists of."""
        return self.first if len(self.parts) == 1 else None

    @property
    def has_id(self) -> bool:
        """Whether it ends with an attribute of a plan."""
        last = self.parts[-1] if self.parts else None
        return last.attribute if isinstance(last, Group) else last is not None and last.kind == "id"


@dataclass(slots=True)
class Group:
    """Brackets, a CASE, or the text itself.

    Attributes:
        opener: The bracket; `case`; empty for the text.
        function: The word directly before the bracket, in lower case.
        attribute: Whether an id follows the bracket, so that the whole is an attribute's name: `trim(a)#5`.
        sensitive: Whether its value comes from something with a sensitive name.
        listed: Whether it is a list or a query whose first item is sensitive.
        keyed: Whether something in it is compared with a sensitive name: `key = 'password'`.
        start: The offset of the bracket.
        end: The offset after the last bracket.
        segments: The content.
    """

    opener: str
    function: str
    start: int
    end: int = 0
    attribute: bool = False
    sensitive: bool = False
    listed: bool = False
    keyed: bool = False
    segments: list[Segment] = field(default_factory=list)

    @property
    def parts(self) -> list[Group]:
        """The brackets directly within it."""
        return [part for segment in self.segments for part in segment.brackets]

    @property
    def entries(self) -> list[tuple[Segment, Segment]]:
        """The pairs of keys and values that its items are in turn."""
        return list(zip(self.segments[::2], self.segments[1::2], strict=False))


def _is_code(part: Token | Group) -> bool:
    if isinstance(part, Token):
        return part.text == "||" or (part.kind in ("id", "name", "word") and is_code(part.text.partition("#")[0]))
    inside = not part.function.startswith(_COUNTS) and any(each.short for each in part.segments)
    return inside or part.function.startswith("concat")


def groups_of(text: str, *, plan: bool, literals: frozenset[str] = frozenset()) -> list[Group]:
    """Return the brackets of a text, each after those within it; the last one is the text itself.

    Args:
        text: A line of a plan, or a statement.
        plan: Whether it is a plan, where quotes are ordinary characters.
        literals: What is like attributes, see `like_attributes`.
    """
    builder = _Builder(plan=plan, literals=literals, names='"' if _QUOTED_NAME.search(text) else "")
    for match in (_PLAN if plan else _STATEMENT).finditer(text):
        builder.add(match)
    return builder.finished(len(text))


def like_attributes(plan: str) -> frozenset[str]:
    """Return the literals of a plan that end like an attribute: `Welcome#1`, where other places have `id#1`.

    An attribute has one name wherever a plan has it (`AttributeReference`); its id is of the name that is there most.
    """
    names: dict[str, Counter[str]] = {}
    for name, number in _ATTRIBUTE.findall(plan):
        names.setdefault(number, Counter())[name] += 1
    return frozenset(
        f"{name}#{number}"
        for number, counted in names.items()
        if len({name.lower() for name in counted}) > 1
        for name, count in counted.items()
        if count < max(counted.values())
    )


def _kind_of(match: re.Match[str], literals: frozenset[str], names: str) -> str:
    """Return the kind of a token; a field is a word, and what ends in an attribute's id is one.

    Args:
        match: The token.
        literals: What is like attributes.
        names: The quotes that are around names.
    """
    if match[0][0] == names:
        return "word"
    if match.groupdict().get("id"):
        return "word" if match[0] in literals else "id"
    return "word" if match.lastgroup == "field" else match.lastgroup or "other"


def _calls(word: str, rest: str) -> bool:
    """Return whether a word does not begin a clause: `insert(a, b)`, `SET DEFAULT x`."""
    return (word == "insert" and rest.startswith("(")) or (word == "set" and rest.lstrip().startswith("default"))


class _Builder:
    """The brackets that are open while a text is read."""

    def __init__(self, *, plan: bool, literals: frozenset[str], names: str) -> None:
        self._literals = literals
        self._names = names
        self._clauses: frozenset[str] = frozenset() if plan else CLAUSES
        self._open = [Group("", "", 0, segments=[Segment("", "")])]
        self._closed: list[Group] = []
        self._between = False
        self._last_end = -1

    def add(self, match: re.Match[str]) -> None:
        """Take the next token."""
        kind, text = _kind_of(match, self._literals, self._names), match[0]
        if kind == "open":
            self._begin(text, match.start(), match.end())
        elif kind == "close":
            self._end(match.end())
        elif text == ":" and self._clauses and self._open[-1].opener == "{":
            self._divide(":", "")
        elif kind == "comma":
            self._divide("", clause=self._segment.clause if text == "," else "")
        elif kind == "tail":
            self._tail(match)
        elif kind == "word" and "." not in text:
            self._word(match)
        elif text == "." and self._ends_sentence(match):
            self._divide("", "")
        else:
            if text == "=":
                self._begin_entry()
            self._segment.parts.append(Token(kind, text, match.start(), match.end()))
        self._last_end = match.end()

    @property
    def _segment(self) -> Segment:
        return self._open[-1].segments[-1]

    def _begin_entry(self) -> None:
        """Divide before a word that follows a quoted text: `user='u' password='x'`."""
        before = self._segment.parts[-2:]
        if self._clauses and [part.kind for part in before if isinstance(part, Token)] == ["quoted", "word"]:
            word = self._segment.parts.pop()
            self._divide("", self._segment.clause)
            self._segment.parts.append(word)

    def _ends_sentence(self, match: re.Match[str]) -> bool:
        """Return whether a period follows a list of attributes: `Couldn't find token#1 in [a#2]. It isn't there`."""
        last = self._segment.parts[-1] if self._segment.parts and len(self._open) == 1 else None
        if not isinstance(last, Group) or (last.opener, last.end) != ("[", match.start()):
            return False
        return match.string.startswith(" ", match.end()) and all(each.has_id for each in last.segments)

    def _begin(self, opener: str, at: int, after: int) -> None:
        before = self._segment.parts[-1] if self._segment.parts and self._last_end == at else None
        function = ""
        if isinstance(before, Token) and before.kind in ("word", "id", "name"):
            function = before.text.lower()
        elif isinstance(before, Group):
            function = ")"
        self._push(Group(opener, function, at, after))

    def _push(self, group: Group) -> None:
        group.segments.append(Segment("", ""))
        self._segment.parts.append(group)
        self._open.append(group)

    def _end(self, end: int) -> None:
        while len(self._open) > 1 and self._open[-1].opener == "case":
            self._pop(end)
        if len(self._open) > 1:
            self._pop(end)

    def _pop(self, end: int) -> None:
        group = self._open.pop()
        group.end = end
        self._closed.append(group)

    def _divide(self, lead: str, clause: str) -> None:
        self._open[-1].segments.append(Segment(lead, clause))

    def _tail(self, match: re.Match[str]) -> None:
        last = self._segment.parts[-1] if self._segment.parts else None
        if isinstance(last, Group) and last.end == match.start():
            last.attribute = True

    def _word(self, match: re.Match[str]) -> None:
        word = match[0].lower() if self._clauses or match[0].isupper() else ""
        inside = self._open[-1].opener == "case"
        calls = _calls(word, match.string[match.end() : match.end() + 9].lower())
        if word == "case":
            self._push(Group("case", "", match.start(), match.end()))
        elif inside and word in ("end", *_CASE_PARTS):
            self._of_case(word, match.end())
        elif word == "between" or (word == "from" and self._ends_with("distinct")):
            self._between = self._between or word == "between"
            self._segment.parts.append(
                Token("operator", word if word == "between" else "=", match.start(), match.end())
            )
        elif word in _DIVIDES:
            self._conjunction(word, inside=inside)
        elif word in self._clauses and not inside and not calls:
            self._divide(word, word)
        else:
            self._segment.parts.append(Token("word", match[0], match.start(), match.end()))

    def _of_case(self, word: str, end: int) -> None:
        if word == "end":
            self._pop(end)
        else:
            self._divide(word, "")

    def _conjunction(self, word: str, *, inside: bool) -> None:
        if word == "and" and self._between:
            self._between = False
        else:
            self._divide(self._segment.lead if inside else "and", self._segment.clause)

    def _ends_with(self, word: str) -> bool:
        """Return whether a word ends the segment, after another one: `IS NOT DISTINCT`."""
        last = self._segment.parts[-1] if len(self._segment.parts) > 1 else None
        return isinstance(last, Token) and last.text.lower() == word

    def finished(self, end: int) -> list[Group]:
        """Close what is open."""
        while len(self._open) > 1:
            self._pop(end)
        self._pop(end)
        return self._closed


def tokens_of(segment: Segment) -> Iterator[Token]:
    """Yield the tokens of a segment and of all brackets within it, in their order."""
    stack: list[Token | Group] = list(reversed(segment.parts))
    while stack:
        part = stack.pop()
        if isinstance(part, Token):
            yield part
        else:
            stack += [each for inner in reversed(part.segments) for each in reversed(inner.parts)]


_KEYWORDS = CLAUSES | frozenset(
    "as is null not in like rlike ilike regexp true false all distinct any some exists escape asc desc nulls first last"
    " over partition by rows range unbounded preceding following current row interval date timestamp filter within"
    " string int integer bigint double float boolean binary decimal smallint tinyint long both leading trailing".split()
)


_MOST_PARTS = 256


def columns_of(segment: Segment) -> Iterator[Token]:
    """Yield the names among the first parts of a segment of a statement: not keywords, functions or types."""
    stack: list[Token | Group] = list(reversed(segment.parts))
    for _ in range(_MOST_PARTS):
        if not stack:
            break
        part = stack.pop()
        if isinstance(part, Group):
            stack += [each for inner in reversed(part.segments) for each in reversed(inner.parts)]
        elif _is_column(part) and not (stack and isinstance(stack[-1], Group) and stack[-1].start == part.end):
            yield part


def _is_column(token: Token) -> bool:
    """Return whether a token is a name; what is in double quotes may be one."""
    if token.kind == "quoted":
        return token.text[0] == '"'
    return token.kind == "word" and not token.text[0].isdigit() and token.text.lower() not in _KEYWORDS


_TWO_WORDS = re.compile(
    r"\b(?:access|account|api|app|encryption|master|private|secret|signing) key(?=[#\]])", re.IGNORECASE
)
WORD = re.compile(rf"(?<=`)[^`\n]{{2,128}}(?=`)|[\w$.](?:[\w$]|{_PERIOD}|-(?=\w)){{1,255}}")


def alias_of(segment: Segment) -> Token | None:
    """Return the name that ends a segment, after AS or after the brackets or the name of an item of a SELECT."""
    if len(segment.parts) < 2:
        return None
    before, last = segment.parts[-2:]
    if not isinstance(last, Token):
        return None
    if isinstance(before, Group) or (len(segment.parts) == 2 and before.text.lower() not in _NO_ITEMS):
        return last if segment.clause == "select" and last.kind == "word" else None
    return last if before.text.lower() == "as" and len(segment.parts) > 2 else None


def last_name(token: Token) -> str:
    """Return a name without its qualifiers, in lower case."""
    return token.text.lower().strip("'`").rpartition(".")[2]


def has_name(text: str) -> bool:
    """Return whether a word of a text is a sensitive name."""
    return any(map(is_secret_column, set(WORD.findall(text))))


def has_sensitive_word(text: str) -> bool:
    """Return whether a word of a text is a sensitive name."""
    return has_name(text) or _TWO_WORDS.search(text) is not None


def is_name(text: str) -> bool:
    """Return whether a token is a sensitive name."""
    name = text.partition("#")[0].strip("'`\"")
    return may_be_name(text[1:-1]) if text[-1:] in ("'", '"') else is_secret_column(name)


def sides(segment: Segment) -> Iterator[Token]:
    """Yield the attributes that are a whole side of a comparison with a sensitive value: `(password#1 = key#2)`."""
    for place in (0, -1) if segment.parts else ():
        side = segment.parts[place]
        beside = segment.parts[1 if place == 0 else -2] if len(segment.parts) > 2 else None
        if (
            isinstance(side, Token)
            and side.kind in ("id", "word", "name")
            and isinstance(beside, Token)
            and beside.text in ("=", "==", "<=>")
        ):
            yield side


def is_value_of_name(segment: Segment) -> bool:
    """Return whether a literal is the value of its sensitive alias, and not a header: `'my_pw' AS password`."""
    alias, literal = alias_of(segment), segment.first
    if alias is None or literal is None or len(segment.parts) > 3 or not is_name(alias.text):
        return False
    return literal.text.strip("'\"").lower() != last_name(alias).partition("#")[0]
