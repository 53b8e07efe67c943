"""Redact literals that meet a name of a secret in an expression, however they meet.

`trim(password) = 'x'`, `CASE WHEN a THEN 'x' ELSE password END`, `element_at(m, 'token') = 'x'`, `'x' AS private_key`,
`In(password, [x,y])`: a literal is masked if it is compared with, combined into one value with, or named as something
with a sensitive name. A literal or a word of prose that looks like a secret is masked near such a name, however they
meet. Statements have quoted literals. Plans print literals without quotes (`Literal.toString`, Spark
2.x to 4.3), so in a plan everything is a literal that is neither an attribute, a function, a keyword nor a type.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import chain, filterfalse, groupby, permutations, product

from .groups import (
    WORD,
    Group,
    Segment,
    Token,
    alias_of,
    groups_of,
    has_name,
    has_sensitive_word,
    is_name,
    last_name,
    like_attributes,
    sides,
    tokens_of,
)
from .mask import Span, masked
from .names import is_secret_column, looks_secret
from .positions import (
    Place,
    mask_positions,
    mask_rows,
    mask_sides,
    mask_tables,
    mask_unnamed,
    renamed,
    renamed_part,
    sensitive_places,
)
from .printed_literals import found_again, found_in_names
from .sensitive_groups import (
    Kind,
    evaluate,
    is_key,
    is_literal_name,
    is_named,
    mask,
    mask_keyed,
)
from .sensitive_groups import masked_spans as _masked_spans

_PARSED = r"^(?:[ :|+*()\d-]{0,512}'[A-Z]\w+ |Arguments: [\[(]{1,2}'\w)"
_OPERATOR = r"^[ :|+-]{0,512}(?:\*(?:\(\d{1,4}\))? )?(?:[A-Z][a-z0-9]{1,24}){2,8} [^\n\[]{0,512}\["
_SOURCE_FILTER = (
    r"(?:^|(?<=[\s\[(,:\"]))(?:In|EqualTo|EqualNullSafe|(?:Greater|Less)Than(?:OrEqual)?|String(?:StartsWith|EndsWith|Contains))"
    r"\([\w.`]{1,128},"
)
"""`EqualTo(a,x)`, `In(a, [x,y])` (`sources.Filter`, 2.x to 4.x)."""
_OF_PLAN = re.compile(
    rf"{_SOURCE_FILTER}|"
    r"#\d|Filters?: \[|Arguments: |Location: \w{1,64} ?\[|CreateViewCommand "
    rf"|(?:(?:Create|Set)Variable|AlterColumns?) |^\(\d{{1,6}}\) [A-Z]|^\w[\w ]{{2,32}} \[\d+\]: \["
    rf"|^\[[A-Z]\w+\(|{_PARSED}|{_OPERATOR}"
)
"""A line of a plan: an attribute with its id, a number, a list, an operator that is not analyzed."""
_LOOKS_LIKE_PLAN = re.compile(
    rf"#\d{{1,19}}L?(?![\w'\"])|Filters?: \[|^\(\d+\) |^== |(?:(?:Create|Set)Variable|AlterColumns?) "
    rf"|Create(?:View|Function|SQLFunction)Command |{_PARSED}|{_OPERATOR}"
    rf"|^\[(?:Not|In|And|Or|[A-Z]\w{{1,30}}Than|Equal\w{{2,10}}|String\w{{4,10}})\w{{0,10}}\(|{_SOURCE_FILTER}",
    re.MULTILINE,
)
_LITERAL = re.compile(r"['\"\d]|\$\$")
_LOCATION = re.compile(r"Location: \w{1,64}(?:\(\d{1,9} paths\))? ?$")
"""The text before the paths of a scan, which stay: `Location: InMemoryFileIndex(1 paths)[file:/lake/x]`."""
_LONGEST = 1_048_576
"""Characters of a text that is searched, 2 µs each; a longer one has other protections only."""


def without_met(text: str) -> str:
    """Return a text without literals that meet a sensitive name.

    >>> without_met("SELECT id FROM u WHERE trim(password) = 'abcd' AND name = 'Bob'")
    "SELECT id FROM u WHERE trim(password) = *** AND name = 'Bob'"
    >>> without_met("Filter (trim(password#5, None) = ab cd)")
    'Filter (trim(password#5, None) = ***)'
    """
    named = "Variable" in text or "USERINFO" in text or _LOGIN.search(text) or has_sensitive_word(text)
    if len(text) > _LONGEST or not named:
        return text
    spans = _of_plan(text) if _LOOKS_LIKE_PLAN.search(text) else _of_statement(text, 0)
    return masked(text, [*spans, *found_again(text, spans)])


def without_named(plan: str, statement: str) -> str:
    """Return a plan without the literals that make what its statement derives from a sensitive name.

    The plan of `SELECT get_password() AS c` has the function's body only: `abcd AS c#5`. The same for what is compared
    with a variable of that name, or given to such a function: `WHERE name = my_token`.

    Args:
        plan: The text of a plan.
        statement: The SQL that it is of.

    >>> without_named("Project [id#1, abcd AS c#2, efgh AS d#3]", "SELECT id, get_password() AS c, f() AS d FROM t")
    'Project [id#1, *** AS c#2, efgh AS d#3]'
    """
    derived = _derived_names(statement) if len(plan) <= _LONGEST else ""
    ids = re.findall(rf"(?<![\w.])(?:{derived})(#\d{{1,19}}L?)", plan, re.IGNORECASE) if derived else []
    spans = _of_plan(plan, frozenset(ids)) if ids else []
    return masked(plan, [*spans, *found_again(plan, spans)])


@lru_cache(maxsize=32)
def _derived_names(statement: str) -> str:
    """Return what `_derived` finds, as alternatives; cached, as the runs of a job have the same statements."""
    groups = _evaluated(statement) if len(statement) <= _LONGEST and has_sensitive_word(statement) else []
    names = {name for group in groups for name in _derived(group)}
    return "|".join(sorted(name for name in names if name.isidentifier() and not is_secret_column(name)))


def _derived(group: Group) -> Iterator[str]:
    """Yield the aliases of sensitive values in a bracket of a statement, and what functions and variables meet."""
    for segment in group.segments:
        if segment.sensitive:
            tokens = sides(segment) if segment.compares else filter(None, [alias_of(segment)])
            yield from map(last_name, tokens)
    if group.opener == "(" and group.function and is_secret_column(group.function):
        tokens = chain.from_iterable(map(tokens_of, group.segments))
        yield from (token.text.rpartition(".")[2] for token in tokens if token.kind == "word")


def _of_statement(text: str, at: int) -> list[Span]:
    if _LITERAL.search(text) is None:
        return []
    groups = _evaluated(text)
    return [*_masked_spans(groups, _STATEMENT, at), *_near_names(groups[-1], text, at)]


def _near_names(statement: Group, text: str, at: int) -> Iterator[Span]:
    """Yield the literals, and the words of prose, that look like secrets near a sensitive name, however they meet.

    Args:
        statement: The whole text, in brackets.
        text: The text.
        at: Its offset.
    """
    tokens = [token for segment in statement.segments for token in tokens_of(segment)]
    names = [token.start for token in tokens if _names(token)]
    logins = [match.start() for match in _LOGIN.finditer(text)]
    if names or logins:
        yield from _near_literals([token for token in tokens if token.kind == "quoted"], names, logins, at)
        yield from _near_words(text, sorted([*names, *logins]), at)


def _near_literals(literals: list[Token], names: list[int], logins: list[int], at: int) -> Iterator[Span]:
    for token in literals:
        named = _names(token)
        if named:
            yield from _inside(token.text, at + token.start)
        if " " in token.text and (named or _LOGIN.search(token.text)):
            yield from _of_statement(token.text[1:-1], at + token.start + 1)
        is_near = _is_near(names, token.start, _NEAR) or _is_near(logins, token.start, _NEXT)
        if is_near and looks_secret(token.text[1:-1]):
            yield at + token.start, at + token.end


def _near_words(text: str, names: list[int], at: int, after: str = "") -> Iterator[Span]:
    sql = [match.start() for match in _LINE_OF_SQL.finditer(text)]
    for word in _ALONE.finditer(text):
        start, end = word.span("word")
        is_secret = looks_secret(word["word"]) and not word["word"].isdigit() and text.endswith(after, 0, start)
        if is_secret and _is_near(names, start, _NEXT) and not _is_in(sql, text, start):
            yield at + start, at + end


def _inside(literal: str, start: int) -> Iterator[Span]:
    """Yield the secrets in a literal with a sensitive name: literals of a statement within it."""
    nested = _NESTED.finditer(literal)
    yield from ((start + each.start(), start + each.end()) for each in nested if looks_secret(each["inner"]))


def _is_near(places: list[int], at: int, near: int) -> bool:
    place = bisect(places, at)
    return any(abs(each - at) < near for each in places[max(0, place - 1) : place + 1])


def _is_in(lines: list[int], text: str, at: int) -> bool:
    """Return whether an offset is in one of the lines of SQL, whose words are names."""
    place = bisect(lines, at)
    return place > 0 and text.find("\n", lines[place - 1], at) < 0


def _names(token: Token) -> bool:
    """Return whether a word, or a word of a literal, is a sensitive name."""
    if token.kind == "quoted":
        return has_name(token.text)
    return token.kind == "word" and is_name(token.text)


def _evaluated(text: str) -> list[Group]:
    """Return the brackets of a statement, with what is sensitive in each, until no alias is found to be sensitive."""
    groups = groups_of(text, plan=False)
    kind = _STATEMENT
    for _ in range(_MOST_RENAMES):
        for group in groups:
            evaluate(group, kind)
            mask_positions(group)
            mask_keyed(group, kind)
        made = kind.made.union(*map(renamed, groups))
        if made == kind.made:
            break
        kind = Kind(plan=False, made=made)
    mask_tables(groups)
    for group in groups:
        mask_unnamed(group)
    return groups


def _of_plan(text: str, made: frozenset[str] = frozenset()) -> list[Span]:
    """Return the spans in a plan, and in the statements that it prints.

    An attribute made from a sensitive one is sensitive as well, whatever its name, and the lines that make it come
    after those that use it.

    Args:
        text: The plan.
        made: The ids of attributes that are sensitive whatever makes them.
    """
    blocks = list(_blocks(text))
    literals = like_attributes(text)
    lines = [_Line(at, block, literals) for at, block, of_plan in blocks if of_plan]
    spans = _of_statements(blocks, lines)
    kind = _made(lines, _subqueries(text, lines) if _SUBQUERY.search(text) else [], made)
    spans += _of_functions(text)
    if "SetVariable" in text or "CreateVariable" in text:
        _mask_rows(lines, compared=True)  # a variable's value may meet a sensitive column in a later statement
    if any(word in text for word in _COMBINES):
        _mask_combined(lines, kind)
    read = [line for line in lines if "groups" in vars(line)]
    spans += [span for line in read for span in _masked_spans(line.groups, kind, line.at)]
    return [*spans, *found_in_names(text, spans, ((line.at, group) for line in read for group in line.groups))]


def _mask_combined(lines: list[_Line], kind: Kind) -> None:
    """Mask what the sides of a UNION, and what is written, have at the places of sensitive columns."""
    combined = (line for line in lines if any(each in line.text for each in _UNNAMED) or line.may_meet(kind.made))
    lists = [group for line in combined for group in line.groups if group.opener == "["]
    mask_sides(lists, places := _places_of_insert(lines))
    mask_rows(lists, places)


def _of_statements(blocks: list[tuple[int, str, bool]], lines: list[_Line]) -> list[Span]:
    """Return the spans in the statements between the lines of a plan, and in the literals of these lines."""
    statements = ((at, block) for at, block, of_plan in blocks if not of_plan or _QUERY.search(block))
    spans = [span for at, block in statements for span in _of_statement(_without_references(block), at)]
    return spans + [span for line in lines if line.names for span in _of_literals(line)]


def _of_functions(text: str) -> Iterator[Span]:
    """Yield the literals of SQL functions with a sensitive name or parameter."""
    for line in _FUNCTION.finditer(text) if "CreateSQLFunction" in text or "CreateFunctionC" in text else ():
        if any(map(is_secret_column, line["names"].split())):
            yield from (each.span() for each in _QUOTED.finditer(text, *line.span("body")))


def _blocks(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the lines of a plan, and what is between them as one, with their offsets."""
    at = 0
    for of_plan, block in groupby(text.splitlines(keepends=True), lambda line: _OF_PLAN.search(line) is not None):
        for each in block if of_plan else ("".join(block),):
            yield at, each, of_plan
            at += len(each)


def _of_literals(line: _Line) -> Iterator[Span]:
    """Yield the spans in the literals of a plan that are statements or prose: in the text between its attributes.

    Names of tables and paths look like secrets, so prose has no quoted names, dots within words and slashes.
    """
    text = _without_references(line.text)
    for match in _BETWEEN_IDS.finditer(text):
        at = line.at + match.start()
        if "'" in match[0] or '"' in match[0]:
            groups = _evaluated(match[0])
            tokens = [token for segment in groups[-1].segments for token in tokens_of(segment)]
            literals = [token for token in tokens if token.kind == "quoted"]
            names = [token.start for token in tokens if _names(token)]
            yield from _masked_spans(groups, _STATEMENT, at)
            yield from _near_literals(literals, names, [each.start() for each in _LOGIN.finditer(match[0])], at)
        for prose in _PROSE.finditer(text, *match.span()):
            names = [each.start() for each in WORD.finditer(prose[0]) if is_secret_column(each[0])]
            names += [each.start() for each in _LOGIN.finditer(prose[0])]
            yield from _near_words(prose[0], sorted(names), line.at + prose.start(), after=" ")


def _without_references(line: str) -> str:
    """Return a line of a parsed plan without the apostrophes of operators and references: `'Filter ('a = x)`."""
    if not PARSED_LINE.match(line):
        return line
    return _REFERENCE.sub(" ", line, count=1 if _QUERY.search(line) else 0)


def _places_of_insert(lines: list[_Line]) -> set[Place]:
    """Return the places of the sensitive columns that a plan's writes list."""
    writes = ((line, place) for line in lines for word, place in _WRITES.items() if word in line.text)
    return sensitive_places(lists[place].segments for line, place in writes if (lists := _lists(line)))


def _mask_rows_and_functions(line: _Line, kind: Kind) -> set[str]:
    """Mask what lists have at the places of sensitive columns: rows of literals, and Python functions.

    `[id, password], [[1, x], [2, y]]`; `[Keep(a#1, [b#2, x])], [id#3, token#4]` of a MERGE,
    `[f(x)#3], [pythonUDF0#4]` of a function that makes a sensitive attribute; `[id, password], [1, x]` of a query with
    parameters. Also what is in a row with the literal name of a secret: `[key, value], [[password, x]]`.

    Returns:
        The ids of the attributes at these places, and of the columns with a sensitive attribute.
    """
    if not (any(each in line.text for each in _HAVE_ROWS)) or not line.may_meet(kind.made):
        return set()
    lists = _lists(line)
    rows = _rows(lists)
    _mask_keyed_rows(rows)
    pairs = product(lists, rows or lists[:2])
    met = [pair for columns, row in pairs for pair in _met(columns, row, kind, rows=bool(rows))]
    for _, each in met:
        each.masked, each.placed = True, bool(rows)
    return set[str]().union(*(_only_id(name) | _only_id(each) for name, each in met))


def _mask_keyed_rows(rows: list[Group]) -> None:
    keyed = (row.segments for row in rows if any(is_literal_name(key.only) for key in row.segments))
    mask([each for segments in keyed for each in segments if not each.has_id])


def _rows(lists: list[Group]) -> list[Group]:
    """Return the rows of lists, and those of the instructions of a MERGE."""
    rows = [row for each in lists for part in each.parts for row in (part, *part.parts)]
    return [row for row in rows if row.opener == "[" or row.function == "list"]


def _met(columns: Group, row: Group, kind: Kind, *, rows: bool) -> list[tuple[Segment, Segment]]:
    """Return the columns and the items of a row of which one is sensitive; all items if a literal has commas.

    Args:
        columns: The columns.
        row: The row.
        kind: What is sensitive.
        rows: Whether a sensitive item makes its column sensitive.
    """
    names = columns.segments
    if len(names) != len(row.segments):
        has_commas = len(names) < len(row.segments) and rows and any(_is_column(name, kind) for name in names)
        return [(names[-1], each) for each in row.segments] if has_commas else []
    pairs = zip(columns.segments, row.segments, strict=True)
    return [(name, each) for name, each in pairs if _is_column(name, kind) or (rows and each.sensitive)]


def _is_column(name: Segment, kind: Kind) -> bool:
    return name.sensitive or is_named(name) or not kind.made.isdisjoint(_only_id(name))


def _made(lines: list[_Line], subqueries: list[_Line], made: frozenset[str]) -> Kind:
    """Decide what is sensitive, until no further attribute is made from something sensitive.

    Args:
        lines: The lines of a plan.
        subqueries: Those of its subqueries.
        made: The ids of attributes that are sensitive whatever makes them.
    """
    sensitive = any(line.may_meet(frozenset()) for line in subqueries)
    parsed = any(PARSED_LINE.match(line.text) for line in lines)
    kind = Kind(plan=True, made=made | (_ids_of_subqueries(lines) if sensitive else frozenset()))
    for _ in range(_MOST_RENAMES):
        found = [group for line in lines if line.may_meet(kind.made) for group in line.groups]
        for group in found:
            evaluate(group, kind)
            mask_keyed(group, kind)
        made = kind.made.union(
            *map(_numbered, found),
            *map(_generated, found),
            _join_keys(lines),
            *(_mask_rows_and_functions(line, kind) for line in lines),
            *(map(_references, found) if parsed else ()),
        )
        if made == kind.made:
            break
        kind = Kind(plan=True, made=made)
    if subqueries and _subquery_meets(found):
        _mask_rows(subqueries)
    return kind


def _subqueries(text: str, lines: list[_Line]) -> list[_Line]:
    """Return the lines of subqueries: after a colon, below a line `Subquery`, or in a part of their own."""
    after = text.find("= Subqueries =")
    found: list[_Line] = []
    depth = len(text)
    for line in lines:
        operator = line.text.lstrip(" :|+-")
        indent = len(line.text) - len(operator)
        depth = indent if operator.startswith("Subquery ") else depth if indent > depth else len(text)
        if indent > depth or line.text.lstrip().startswith(":") or line.at > after > 0:
            found.append(line)
    return found


def _ids_of_subqueries(lines: list[_Line]) -> frozenset[str]:
    return frozenset(match[1] for line in lines for match in _SUBQUERY.finditer(line.text))


def _subquery_meets(groups: list[Group]) -> bool:
    """Return whether a subquery is compared with a sensitive value: `(password#1 = scalar-subquery#2 [])`."""
    return any(
        _SUBQUERY.search(token.text) is not None
        for group in groups
        for segment in group.segments
        if segment.sensitive
        for token in tokens_of(segment)
    )


def _mask_rows(lines: list[_Line], *, compared: bool = False) -> None:
    """Mask the literals in the columns that lines of a plan make.

    Args:
        lines: The lines.
        compared: Whether to mask those in comparisons as well.
    """
    for line in lines:
        for group in filterfalse(line.has_paths, line.groups):
            for segment in group.segments:
                compares = segment.compares or any(
                    isinstance(each, Token) and each.text == "=" for each in segment.parts
                )
                segment.masked = segment.masked or (bool(group.opener) and (compared or not compares))


class _Line:
    """A line of a plan at an offset; its brackets are found when they are needed."""

    def __init__(self, at: int, text: str, literals: frozenset[str]) -> None:
        self.at = at
        self.text = text
        self._literals = literals
        self._sensitive = has_sensitive_word(text)
        self.names = self._sensitive or _LOGIN.search(text) is not None

    def may_meet(self, made: frozenset[str]) -> bool:
        """Return whether it has a sensitive name, or an attribute that is made from one."""
        return self._sensitive or any(each in self.text for each in made)

    def has_paths(self, group: Group) -> bool:
        """Return whether a bracket has the paths of a scan, or their number."""
        return _LOCATION.search(self.text, max(group.start - 99, 0), group.start) is not None

    @cached_property
    def groups(self) -> list[Group]:
        """The brackets."""
        return groups_of(_NAMES.sub(r"[\1]", self.text), plan=True, literals=self._literals)


def _numbered(group: Group) -> set[str]:
    """Return the ids of the attributes that are made from sensitive values in a bracket, or renamed to such."""
    made: list[Token | Group | None] = []
    for segment in (each for each in group.segments if each.sensitive):
        made += sides(segment) if segment.compares else [alias_of(segment)]
        made += [renamed_part(segment)] if not segment.compares and alias_of(segment) else []
    return {token.text[token.text.rindex("#") :] for token in made if isinstance(token, Token) and token.kind == "id"}


def _references(group: Group) -> set[str]:
    """Return what has a sensitive value in a bracket of a plan, as parsed plans refer to it: `'p`, `'t.p`."""
    names = set[str]()
    for segment in (each for each in group.segments if each.sensitive):
        if segment.compares:
            names.update(last_name(side) for side in sides(segment) if side.kind == "name")
        elif (alias := alias_of(segment)) is not None and alias.kind == "id":
            names.add(alias.text.partition("#")[0])
    return set().union(*map(_in_parsed_plan, names))


def _in_parsed_plan(name: str) -> set[str]:
    """Return how a parsed plan refers to a name, alone and as a field."""
    return {f"'{name}", f".{name}"} if name.isidentifier() else set()


def _generated(line: Group) -> set[str]:
    """Return the attributes that a line gets by a sensitive key, or from a sensitive array.

    `json_tuple(j#1, password), [jv#2]`; `explode(tokens#1), [id#2], false, [t#3]`.
    """
    parts = line.parts
    if line.opener or not parts or parts[-1].opener != "[":
        return set()
    outputs, made = parts[-1].segments, set[str]()
    for part in parts:
        if part.function.endswith("json_tuple"):
            pairs = zip(part.segments[1:], outputs, strict=False)
            made.update(*(_only_id(output) for key, output in pairs if is_key(key, _PLAN)))
        elif part.sensitive and "explode" in part.function:
            made |= _only_id(outputs[-1])
    return made


_STATEMENT = Kind(plan=False)
_FUNCTION = re.compile(r"(?:Arguments:|Create(?:SQL)?FunctionCommand) (?P<names>[^'\n]{1,2048})(?P<body>[^\n]*)")
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.){4,8192}'")
_NAMES = re.compile(r"<(\w{1,128}(?:, ?\w{1,128}){1,999})>(?=, \[)")
"""Names of columns before rows: `LocalTableScan <id, token>, [[1,x]]`."""
PARSED_LINE = re.compile(_PARSED, re.MULTILINE)
_REFERENCE = re.compile(r"(?<![^\s(\[,:|+-])'(?=[\w`.]{1,128}(?:[\s,)\]=(\[]|$))")
_PROSE = re.compile(r"[^\[\](){}=<>|\n`/]{12,}")
_BETWEEN_IDS = re.compile(r"(?:[^#\n]|#(?!\d)){8,}")
_PLAN = Kind(plan=True)
_MOST_RENAMES = 6
_QUERY = re.compile(r"\b(?:select|values|create)\b", re.IGNORECASE)
_NEAR = 400
"""Characters between a sensitive name and a literal that looks like a secret."""
_NESTED = re.compile(r"(?P<quote>\\{1,8}['\"]|'')(?P<inner>[^'\"\\\s]{6,512})(?P=quote)")
"""A literal of a statement within a literal."""
_NEXT = 60
"""Characters between a sensitive name and a word of prose that looks like a secret."""
_ALONE = re.compile(
    r"(?:^|(?<=[\s,;:/>*_'\"(-]))(?<!\*\*\*)"
    r"(?P<word>(?![a-z]{3,32}(?:19|20)\d\d\b)[^\W_]{1,512}(?:[!#$^~+@]{1,4}[^\W_]{0,512}){0,4})"
    r"(?!\*\*\*)(?=[\s,;!?`*_'\"<)]|[.:]?(?:\s|$))"
)
_LOGIN = re.compile(
    r"(?:\b\w{0,32}log-?[io]n|\b(?:sign-?in|log in|authenticated?|auth|zugang|(?:connect|mysqli?|postgresql|remote)\())"
    r"(?!\w|\s{0,3}[=<>,)]|\s(?:in|like|is|as(?! \w{1,32} (?:with|using)\b))\b)",
    re.IGNORECASE,
)
"""A word before a user and a secret."""
_LINE_OF_SQL = re.compile(
    r"^(?!\s*--)[^\n]*?(?:\b(?:select|insert|update|delete|merge|create|alter|execute|where|case|between|having)\b|\w\()",
    re.IGNORECASE | re.MULTILINE,
)
"""The beginning of a line of SQL or code, up to its keyword or call."""
_SUBQUERY = re.compile(r"(?:subquery|\blist)(#\d{1,19}L?)")
_HAVE_ROWS = ("[[", "[List(", "UpdateTable", "EvalPython", "MergeRows", "instructions: [", "NameParameterizedQuery")
_UNNAMED = (" AS ", "[[", "unresolvedalias(")
_WRITES = {"InsertInto": -1, "AppendData": 0, "OverwriteByExpression": 0, "OverwritePartitionsDynamic": 0}
"""Operators that write to the index of the list of their columns (`V2WriteCommand`, 3.x and 4.x)."""
_COMBINES = ("Union", "Intersect", "Except", "Join", *_WRITES)


def _join_keys(lines: list[_Line]) -> set[str]:
    """Return the ids, and mask the literals, of keys that a join compares with sensitive ones.

    `…HashJoin [password#1], [concat(x, a#2)]`; `Left keys` and `Right keys` in formatted text.
    """
    made: set[str] = set()
    for line, following in zip(lines, [*lines[1:], None], strict=False):
        if "Join" in line.text:
            keys = _lists(line)[:2]
        elif "Left keys [" in line.text and following and "Right keys [" in following.text:
            keys = [*_lists(line)[-1:], *_lists(following)[-1:]]
        else:
            continue
        for both in permutations(keys, 2):
            for key, other in zip(*(each.segments for each in both), strict=False):
                other.masked = other.masked or key.sensitive
                made |= _only_id(other) if key.sensitive else set()
    return made


def _lists(line: _Line) -> list[Group]:
    return [part for part in line.groups[-1].parts if part.opener == "["]


def _only_id(segment: Segment) -> set[str]:
    """Return the id of the attribute that a segment consists of; its name in a plan that is not analyzed."""
    only = segment.only
    if only is None or only.kind not in ("id", "name"):
        return set()
    return {only.text[only.text.rindex("#") :]} if only.kind == "id" else _in_parsed_plan(only.text[1:])
