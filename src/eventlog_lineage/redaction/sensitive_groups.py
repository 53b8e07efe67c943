"""Decide which brackets of a plan or a statement hold literals that meet a sensitive name, and where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from .groups import Group, Segment, Token, alias_of, has_name, is_name, last_name, sides, tokens_of
from .mask import Span
from .names import is_name_of_secret, is_secret_column
from .printed_literals import quoted_literals, unquoted_literals

_COMPARISONS = frozenset("in inset like rlike ilike regexp between is any some escape".split())
STRUCTS = frozenset("struct named_struct map create_map namedstruct createmap".split())
_MAKES_MAP = frozenset("map_from_arrays map_from_entries str_to_map mapfromarrays from_csv from_xml".split())
"""Functions that name values: by the keys of a map, or by a schema."""
_GENERATORS = frozenset(
    "stack explode explode_outer posexplode posexplode_outer inline inline_outer json_tuple default some".split()
)
_APPLIES = frozenset("transform lambdafunction transform_values reduce aggregate".split())
_SELECTS = frozenset("map_filter filter lambdafunction if".split())
"""Functions whose value is a secret if they compare a key with a sensitive name."""
_FORMATS = frozenset(
    "concat concat_ws format_string printf replace translate split split_part stringsplitsql substring_index"
    " regexp_extract regexp_extract_all regexp_replace".split()
)
"""Functions that put a value after a label, or take it from there: `concat('password=', x)`."""
_LABEL = re.compile(r"(?<![\w.-])(?P<name>[\w.-]{2,128})['\"]?\s?(?:[=:]|(?:is|was)\s)|--(?P<flag>[\w-]{2,64})\s")
_CONTAINS = frozenset(
    "array_contains arrays_overlap array_position contains startswith endswith equal_null instr locate position".split()
)
"""Functions that compare their arguments."""
_FILTERS = frozenset(
    "in not equalto equalnullsafe greaterthan greaterthanorequal lessthan lessthanorequal stringstartswith"
    " stringendswith stringcontains startswith endswith contains".split()
)
_OF_COLUMNS = frozenset(
    "select selectexpr drop dropduplicates drop_duplicates groupby group_by orderby order_by sort partitionby rollup"
    " cube repartition withcolumnrenamed join describe agg bucketby sortby".split()
)
"""Methods whose arguments are names of columns."""
_OF_FIELDS = frozenset(
    "type nullable format comment description doc metadata name fieldname columnname label path table database schema"
    " op operator comparator unit id uid user username login owner host required".split()
)
"""Keys that describe a field, in an object of JSON; other keys may hold its value."""
_OF_VALUES = frozenset("v val value values content data secret_value string_value".split())
"""Names of the value of an entry: `'password' AS k, 'x' AS v`."""
_ORDINARY = frozenset("pass token tokens secret secrets pin pins cookie cookies signature auth otp".split())
"""Names that are ordinary values of other columns than those of names: `result = 'pass'`."""
_OF_KEYS = ("k", "key", "name", "field", "column", "param", "parameter", "property", "setting", "option", "attribute")
_CLASS = frozenset({"class"})
_NAMES = frozenset({"name"})
_KEY = re.compile(r"\$?[\w.`\[\]'\"*/@-]{1,128}$")


_QUOTES = "'\""
BEFORE = "as "
"""Before a name that is sensitive as an alias only: what has it is compared with, or renamed to, a secret."""


def renamed(group: Group) -> Iterator[str]:
    """Yield the names of sensitive values in a bracket of a statement, and what is compared with them.

    `password AS p` makes `p` sensitive; `x AS password`, `x = password` and `UNPIVOT (password FOR k IN (x))` make
    sensitive what has the name `x` elsewhere: `'abc' AS x`.
    """
    if group.function in STRUCTS:
        yield from (key.only.text.strip("'\"").lower() for key, value in group.entries if value.sensitive and key.only)
    for segment in group.segments:
        if segment.sensitive:
            yield from _renamed_by(segment)
            yield from _unpivoted(segment)
        elif segment.placed and segment.first and len(segment.parts) in (1, 3):
            yield f"{BEFORE}{last_name(segment.first)}"


def _renamed_by(segment: Segment) -> Iterator[str]:
    alias = alias_of(segment)
    if segment.compares:
        yield from (f"{BEFORE}{last_name(token)}" for token in sides(segment) if not is_name(token.text))
    elif alias is not None:
        if alias.kind == "word" and not is_name(alias.text):
            yield last_name(alias)
        if segment.first and segment.first.kind == "word" and len(segment.parts) < 4:
            yield f"{BEFORE}{last_name(segment.first)}"


def _unpivoted(segment: Segment) -> Iterator[str]:
    """Yield the names of the columns of `password FOR k IN (x, y)`, or of `v` in `v FOR k IN (password, y)`.

    Those of a PIVOT are its literals: `max(password) FOR k IN ('x', 'y')`.
    """
    if "for" not in segment.words[1:3] or not isinstance(last := segment.parts[-1], Group):
        return
    if last.listed and segment.first:
        yield last_name(segment.first)
    before = BEFORE if segment.words[1] == "for" else ""
    yield from (f"{before}{last_name(token).strip(_QUOTES)}" for each in last.segments for token in tokens_of(each))


def _has_alias_of_words(segment: Segment) -> bool:
    """Return whether the alias is a sensitive name of two words: `x AS API Key#1`, `x AS api-key#1`."""
    parts = [part for part in segment.parts[-5:] if isinstance(part, Group) or part.text != "-"]
    if len(parts) < 4:
        return False
    before, first, last = parts[-3:]
    if not (isinstance(before, Token) and isinstance(first, Token) and isinstance(last, Token)):
        return False
    return before.text.lower() == "as" and last.kind == "id" and is_name(f"{first.text}_{last.text}")


def masked_spans(groups: list[Group], kind: Kind, at: int) -> list[Span]:
    """Return the spans of the literals in masked segments, in a text at an offset."""
    for group in reversed(groups):
        _pass_down(group, kind)
    return [
        (at + start, at + end)
        for group in groups
        for segment in group.segments
        if segment.masked
        for start, end in _literals(group, segment, kind)
    ]


def _literals(group: Group, segment: Segment, kind: Kind) -> Iterator[Span]:
    if not kind.plan:
        return quoted_literals(segment)
    return unquoted_literals(segment, segment.parts if group.opener else _after_sensitive(segment, kind))


@dataclass(frozen=True)
class Kind:
    """Whether a text is a plan, and what is sensitive whatever its name.

    Attributes:
        plan: Whether it is a plan, or a line of one.
        made: The ids of a plan's attributes, or the aliases of a statement, that are made from sensitive values.
    """

    plan: bool
    made: frozenset[str] = frozenset()


_LINE = Kind(plan=True)
_TREE = 512
"""Characters of the tree before an operator."""


def evaluate(group: Group, kind: Kind) -> None:
    """Decide which segments of a bracket hold literals of secrets; those within it have been decided."""
    if group.opener == "{" and not kind.plan:
        _mask_object(group)
        return
    for segment in group.segments:
        segment.compares = any(_compares(part) for part in segment.parts if isinstance(part, Token))
        segment.sensitive = segment.masked = _has_name(segment, kind)
    _extend_sets(group)
    _mask_values_of_key(group)
    if kind.plan and group.opener == "(" and not group.function:
        _extend_comparison(group)
    _evaluate_brackets(group, kind)


def _evaluate_brackets(group: Group, kind: Kind) -> None:
    if group.opener == "case":
        mask([result for key, result in pairwise(group.segments) if key.lead == "when" and is_named(key)])
        _evaluate_case(group)
    elif group.opener == "[":
        _mask_nodes(group)
        _mask_commas(group)
        group.sensitive = bool(group.function) and len(group.segments) == 1 and is_key(group.segments[0], kind)
    elif group.opener == "(":
        calls = group.function and (kind.plan or group.function not in _COMPARISONS)
        _evaluate_call(group, kind) if calls else _evaluate_list(group)
    elif not group.opener:
        _mask_generator(group) if kind.plan else _mask_parameters(group)


def _extend_comparison(group: Group) -> None:
    """Mask the parts of a literal that is compared and has commas: `(password#1 = x, y)`, `(x, y = password#1)`."""
    for before, segment in pairwise(group.segments):
        if before.sensitive and before.compares and segment.lead == "" and not segment.has_id:
            segment.masked = segment.sensitive = segment.compares = True
        elif segment.sensitive and segment.compares and not before.compares and not before.has_id:
            before.masked = before.masked or (segment.first is not None and segment.first.kind == "word")


def _mask_values_of_key(group: Group) -> None:
    """Mask the columns `value` next to one that is the literal name of a secret: `'password' AS k, 'x' AS v`."""
    aliases = [(segment, alias_of(segment)) for segment in group.segments]
    named = [(segment, alias) for segment, alias in aliases if alias is not None]
    if len(named) > 1 and any(len(each.parts) == 3 and is_literal_name(each.parts[0]) for each, _ in named):
        mask([each for each, alias in named if last_name(alias).partition("#")[0] in _OF_VALUES])


def _mask_commas(group: Group) -> None:
    """Mask the parts before the last comma of a literal in a list of columns: `id#1, x, y AS password#2`.

    Each column ends with its id, so what has none belongs to the next one.
    """
    for place, segment in enumerate(group.segments):
        alias = alias_of(segment)
        if alias is not None and alias.kind == "id" and segment.sensitive and not segment.compares:
            for before in reversed(group.segments[:place]):
                if before.has_id:
                    break
                before.masked = True


def _has_value(group: Group) -> bool:
    return any(segment.sensitive and not segment.compares for segment in group.segments)


def _evaluate_list(group: Group) -> None:
    selected = [segment for segment in group.segments if segment.lead == "select"]
    listed = selected[:1] or (group.segments if all(each.lead == "" for each in group.segments) else [])
    group.sensitive = len(group.segments) == 1 and _has_value(group)
    group.listed = any(segment.sensitive for segment in listed)
    group.chosen = any(each.sensitive for each in group.segments if each.clause == "select")


def _evaluate_call(group: Group, kind: Kind) -> None:
    name = group.function.rpartition(".")[2].strip("'")
    if name in STRUCTS:
        _mask_entries(group, kind)
        group.listed = _has_value(group) or any(map(is_named, group.segments[::2]))
    elif name not in _NO_VALUES and (kind.plan or name not in _OF_COLUMNS):
        _evaluate_arguments(group, name, kind)


def _evaluate_arguments(group: Group, name: str, kind: Kind) -> None:
    """Mask the literals among the arguments of a function if one of them is sensitive, or the name of a secret."""
    group.listed = any(part.listed for part in group.parts)
    if kind.plan and name in ("stack", "reflect", "java_method"):
        mask([value for key, value in pairwise(group.segments) if is_named(key)])
    filtered = kind.plan and name in _FILTERS and _has_name_within(group.segments[0])
    if filtered:
        _read_literals(group.segments)
    if filtered or _has_value(group) or _is_named_call(group, name, kind) or _selects(group, name):
        group.sensitive = not filtered and name != "assignment"  # of an UPDATE, next to others
        _mask_arguments(group, name)


def _mask_arguments(group: Group, name: str) -> None:
    compared = group.segments if name in _CONTAINS and _has_value(group) else []
    mask(group.segments)
    for segment in compared:
        segment.compares = segment.sensitive = True


def _read_literals(segments: list[Segment]) -> None:
    """Make words of what is like an attribute in a source's filter, which has none: `EqualTo(password,x#1)`."""
    column, *values = segments
    if all(each.kind != "id" for each in tokens_of(column)):
        for token in chain.from_iterable(map(tokens_of, values)):
            token.kind = "word" if token.kind == "id" else token.kind


def _has_name_within(segment: Segment) -> bool:
    return any(is_name(each.text) for each in tokens_of(segment))


def _is_named_call(group: Group, name: str, kind: Kind) -> bool:
    """Return whether the function, or a key among its arguments, has a sensitive name."""
    if is_secret_column(group.function) and (not kind.plan or group.attribute or not _is_of_names(group)):
        return True
    of_filter = kind.plan and name in _FILTERS
    return not of_filter and any(is_key(each, kind) for each in group.segments)


def _is_of_names(group: Group) -> bool:
    """Return whether brackets are empty or have attributes, as those of an operator or a relation of that name."""
    return not group.segments[0].parts or any(
        token.kind == "id" for each in group.segments for token in tokens_of(each)
    )


def _selects(group: Group, name: str) -> bool:
    """Return whether arguments hold the label of a secret, make a map of one, or compare a key with its name.

    Also whether a lambda function puts its argument into a sensitive field: `transform(a, x -> struct(x AS password))`.
    """
    if name in _MAKES_MAP:
        return any(has_name(token.text) for token in chain.from_iterable(map(tokens_of, group.segments)))
    labelled = name in _FORMATS and any(map(_is_label, group.segments))
    made = name in _APPLIES and any(part.listed for part in group.parts)
    return labelled or made or (name in _SELECTS and any(_compared_name(_within(each)) for each in group.segments))


_NO_VALUES = frozenset(
    "windowspecdefinition specifiedwindowframe hashpartitioning rangepartitioning structfield structtype"
    " hashaggregate objecthashaggregate sortaggregate jdbcrelation options tblproperties dbproperties table".split()
)


def _evaluate_case(group: Group) -> None:
    """Mask what a CASE compares with a sensitive operand, and its other results where one is sensitive."""
    operand, results = group.segments[0], [each for each in group.segments if each.lead in ("then", "else")]
    group.sensitive = any(each.sensitive and not each.compares for each in results)
    for segment in group.segments[1:]:
        chosen = segment.lead == "when" and operand.sensitive
        segment.masked = segment.masked or chosen or (segment.lead != "when" and group.sensitive)


def _mask_entries(group: Group, kind: Kind) -> None:
    """Mask the values of a map's or a struct's entries that have a sensitive key.

    A literal of a plan may have commas: its parts are those up to the next attribute, if there is one too many.
    """
    if any(is_named(value) and not is_named(key) for key, value in group.entries):
        mask([value for key, value in group.entries if _is_named_in(key, _OF_VALUES)])
    odd = kind.plan and len(group.segments) % 2
    for place, key in enumerate(group.segments[:-1]):
        if (odd or not place % 2) and is_named(key):
            following = group.segments[place + 1 :]
            ends = (number for number, each in enumerate(following) if number and (not odd or each.has_id))
            mask(following[: next(ends, len(following))])


def _mask_object(group: Group) -> None:
    """Mask the values of sensitive names in an object of JSON, and the other values of one that is about such a name.

    `{"password": ["x", "y"]}`, `{"field": "password", "in": ["x", "y"]}`. An attribute of an expression's JSON
    (`TreeNode.toJSON`) is about the literals of its list.
    """
    entries = _entries_of_object(group)
    if any(_is_named_in(key, _CLASS) for key, _ in entries):
        group.listed = any(is_named(value) and _is_named_in(key, _NAMES) for key, value in entries)
        group.chosen = not group.listed
        return
    about = any(_is_about(value) and not is_named(key) for key, value in entries)
    for key, value in entries:
        value.masked = value.masked or is_named(key) or (about and not _is_named_in(key, _OF_FIELDS))


def _entries_of_object(group: Group) -> list[tuple[Segment, Segment]]:
    return [(key, value) for key, value in pairwise(group.segments) if value.lead == ":"]


def _mask_nodes(group: Group) -> None:
    """Mask the literals of an expression's JSON that has an attribute or an alias with a sensitive name."""
    nodes = [part for part in group.parts if part.opener == "{"]
    if any(node.listed for node in nodes):
        for node in (each for each in nodes if each.chosen):
            mask([value for key, value in _entries_of_object(node) if _is_named_in(key, _OF_VALUES)])


def _is_about(value: Segment) -> bool:
    """Return whether a value is a sensitive name, or an object of one entry that is: `{"col": "token"}`."""
    only = value.parts[0] if len(value.parts) == 1 else None
    inner = only.segments if isinstance(only, Group) and only.opener == "{" else []
    return is_named(value) or (len(inner) == 2 and is_named(inner[1]))


def _is_named_in(key: Segment, names: frozenset[str]) -> bool:
    return key.only is not None and key.only.text.strip(_QUOTES).lower() in names


def mask(segments: list[Segment]) -> None:
    """Mask the literals of segments."""
    for segment in segments:
        segment.masked = True


def is_literal_name(part: Token | Group) -> bool:
    """Return whether it is a literal that is a sensitive name: `'password'`, in a plan `password`."""
    return (
        isinstance(part, Token)
        and part.kind in ("quoted", "word")
        and part.text[:1] not in (".", "`")
        and is_name_of_secret(part.text.strip("'\""))
    )


def is_named(key: Segment) -> bool:
    """Return whether an item is a sensitive name."""
    return key.only is not None and is_name(key.only.text)


def _mask_generator(line: Group) -> None:
    """Mask what makes a sensitive name outside an expression.

    `stack(1, a), false, [password#1]` of a `Generate`, `[session.my_token], default(a)` of a `CreateVariable`.
    """
    words = [each.text for each in tokens_of(line.segments[0])]
    if "Pivot" in (word.strip("'") for word in words[:_TREE]):
        _mask_pivoted(line)
    groups = line.parts
    alters = words[0].startswith("AlterColumn") and any(map(is_name, words)) if words else False
    if alters or any(group.opener == "[" and any(map(_is_made_of_secret, group.segments)) for group in groups):
        made = groups if "Generate" in words[:_TREE] else [each for each in groups if each.function in _GENERATORS]
        mask([each for group in made for each in group.segments])


def _is_made_of_secret(output: Segment) -> bool:
    return output.sensitive or is_key(output, _LINE)


def _mask_pivoted(line: Group) -> None:
    """Mask the values of a sensitive column: `Pivot [keys], column, [values]`, the keys only if there are some."""
    columns = pairwise(line.segments[:3])
    mask([values for column, values in columns if _has_name_within(column)])


def _mask_parameters(statement: Group) -> None:
    """Mask all parameters of a query, or of a procedure, with a sensitive name.

    `EXECUTE IMMEDIATE '… password = ?' USING 1, 'x'`, `EXEC sp_password NULL, 'x'`.
    """
    inside = prepared = False
    for segment in statement.segments:
        tokens = segment.tokens
        executes = any(each.text.lower() in ("execute", "exec", "call") for each in tokens)
        prepared = prepared or any(each.kind == "quoted" and has_name(each.text) for each in tokens)
        inside = (inside and not segment.lead) or (executes and (segment.sensitive or prepared))
        segment.masked = segment.masked or inside


def _extend_sets(group: Group) -> None:
    """Mask the items of `password#1 INSET a, b, c`, which have no brackets (`InSet.toString`)."""
    inside = False
    for segment in group.segments:
        tokens = segment.tokens
        if inside:
            segment.masked = not tokens or tokens[0].kind != "id"
            inside = all(token.kind != "id" for token in tokens)
        elif segment.sensitive:
            inside = any(token.text == "INSET" for token in tokens)


def mask_keyed(group: Group) -> None:
    """Mask what is compared next to the name of a secret: `key = 'password' AND value = 'x'`."""
    for segment in group.segments:
        segment.masked = segment.masked or _chooses_by_name(segment)
    _mask_keyed_filters(group)
    inner = [_within(segment) for segment in group.segments]
    group.keyed = any(segment.compares and _compared_name(segment) for segment in inner)
    group.keyed = group.keyed or any(part.keyed for part in group.parts if part.opener == "(" and not part.function)
    if group.keyed:
        for outer, segment in zip(group.segments, inner, strict=True):
            outer.masked = outer.masked or segment.compares or outer.lead in ("then", "else")


def _mask_keyed_filters(group: Group) -> None:
    """Mask what pushed filters compare next to the name of a secret: `EqualTo(k,password), EqualTo(v,x)`."""
    filters = [part for part in group.parts if part.function in _FILTERS and len(part.segments) == 2]
    if any(is_named(each.segments[1]) for each in filters):
        mask([each.segments[1] for each in filters])


def _chooses_by_name(segment: Segment) -> bool:
    """Return whether it is `if ((k = password)) x else v`, as plans print it."""
    condition = segment.parts[1:2]
    chooses = condition and isinstance(first := segment.parts[0], Token) and first.text == "if"
    return bool(chooses) and _compared_name(_within(Segment("", "", condition)))


def _within(segment: Segment) -> Segment:
    """Return the segment within the brackets that a segment consists of."""
    while len(segment.parts) == 1 and isinstance(only := segment.parts[0], Group) and len(only.segments) == 1:
        segment = only.segments[0]
    return segment


def _compared_name(segment: Segment) -> bool:
    last = [*_within(Segment("", "", segment.parts[-1:])).parts, None][0] if len(segment.parts) >= 3 else None
    if isinstance(last, Group) and segment.words[-2] == "in":
        listed = any(each.only is not None and is_literal_name(each.only) for each in last.segments)
        return listed and _is_of_key(segment.first)
    if not isinstance(last, Token) or last.kind not in ("quoted", "word") or last.text[:1] == "`":
        return False
    before = segment.parts[-2]
    equals = isinstance(before, Token) and before.text in ("=", "==", "<=>", "in", "IN")
    is_word = last.text.strip(_QUOTES).lower() in _ORDINARY and not _is_of_key(segment.first)
    return equals and last.text[0] != '"' and is_name(last.text) and not is_word


def _is_of_key(column: Token | None) -> bool:
    """Return whether a column has names of settings: `k`, `setting_key`, `field`."""
    return column is None or column.text.partition("#")[0].lower().endswith(_OF_KEYS)


def _pass_down(group: Group, kind: Kind) -> None:
    for segment in (each for each in group.segments if each.masked):
        parts = segment.parts if group.opener or not kind.plan else _after_sensitive(segment, kind)
        for inner in (part for part in parts if isinstance(part, Group)):
            if inner.function in ("structfield", "windowspecdefinition"):
                continue
            for each in inner.segments:
                each.masked = True
                is_side = segment.compares and inner.function in ("", "in", "array")
                each.compares = each.compares or is_side
                each.sensitive = each.sensitive or (is_side and segment.sensitive)


def _after_sensitive(segment: Segment, kind: Kind) -> list[Token | Group]:
    """Return the parts after the first sensitive one: before it a line of a plan has the operator's name."""
    if segment.sensitive and (condition := _condition(segment)):
        return condition
    for place, part in enumerate(segment.parts if segment.sensitive else ()):
        if part.sensitive or part.listed if isinstance(part, Group) else _is_sensitive(part, segment, kind):
            return segment.parts[place:]
    return [] if segment.sensitive else segment.parts


def _condition(segment: Segment) -> list[Token | Group]:
    """Return the comparison of a filter: `Condition : x IN (password#1,token#2)`, `+- Filter x IN (…)`."""
    texts = [part.text if isinstance(part, Token) else "" for part in segment.parts[:8]]
    word = "Condition" if "Condition" in texts else "Filter"
    at = texts.index(word) + 1 if word in texts else 0
    return segment.parts[at + (texts[at : at + 1] == [":"]) :] if at and segment.compares else []


def _compares(token: Token) -> bool:
    if token.kind == "operator":
        return token.text not in ("->", "=>", "||")
    return token.kind == "word" and token.text.lower() in _COMPARISONS


def _has_name(segment: Segment, kind: Kind) -> bool:
    for before, part in zip((None, *segment.parts), segment.parts, strict=False):
        if isinstance(part, Group):
            aliased = isinstance(before, Token) and before.text.lower() == "as"
            if part.sensitive or _is_listed(part, kind, aliased=aliased, compares=segment.compares):
                return True
        elif _is_sensitive(part, segment, kind):
            return True
    return kind.plan and (_has_alias_of_words(segment) or _has_alias_in_brackets(segment))


def _has_alias_in_brackets(segment: Segment) -> bool:
    """Return whether the alias is a sensitive name with a part in brackets: `x AS Password (plain)#1`."""
    before, name, last = segment.parts[-3:] if len(segment.parts) > 3 else (None, None, None)
    aliased = isinstance(before, Token) and before.text.lower() == "as" and isinstance(last, Group) and last.attribute
    return aliased and isinstance(name, Token) and is_name(name.text)


def _is_listed(group: Group, kind: Kind, *, aliased: bool, compares: bool) -> bool:
    """Return whether brackets have a sensitive item, as names after AS or as a side of a comparison.

    Args:
        group: The brackets.
        kind: The kind of the text.
        aliased: Whether they follow AS.
        compares: Whether they are a part of a comparison.
    """
    if aliased and (kind.plan or group.opener == "[") and any(map(is_named, group.segments)):
        return True
    return (group.listed and (compares or aliased)) or (group.chosen and compares)


def _is_sensitive(token: Token, segment: Segment, kind: Kind) -> bool:
    if token.kind == "id":
        return is_name(token.text) or token.text[token.text.rindex("#") :] in kind.made
    if token.kind == "name":
        return is_name(token.text) or not kind.made.isdisjoint(f"'{part}" for part in token.text[1:].split("."))
    if kind.plan:
        named = is_name(token.text) and _is_field_or_compared(token, segment)
        return token.kind == "word" and (named or token.text in kind.made)
    if token.kind == "word":
        return is_name(token.text) or _is_alias_made(token, segment, kind)
    return token.kind == "quoted" and token.text[0] == '"' and is_name(token.text[1:-1])


def _is_alias_made(token: Token, segment: Segment, kind: Kind) -> bool:
    """Return whether a word of a statement is an alias of a sensitive value, or the alias of one that is compared."""
    name = last_name(token)
    return name in kind.made or (f"{BEFORE}{name}" in kind.made and token is alias_of(segment))


def _is_field_or_compared(token: Token, segment: Segment) -> bool:
    """Return whether a word of a plan is a field, `.password`, or left of a comparison."""
    beside = segment.parts[1:2] if token is segment.parts[0] else []
    compared = (isinstance(each, Token) and _compares(each) and each.start > token.end for each in beside)
    return token.text.startswith(".") or any(compared)


def is_key(segment: Segment, kind: Kind) -> bool:
    """Return whether an argument is a literal with the name of a secret: a key of a map, a path of JSON."""
    texts = [
        part.text for part in segment.parts if isinstance(part, Token) and part.kind in ("quoted", "word", "other")
    ]
    if len(texts) != len(segment.parts) or not texts:
        return False
    is_literal = kind.plan or (len(texts) == 1 and texts[0][0] in "'\"")
    text = "".join(texts).strip("'\"") if is_literal else ""
    return _KEY.match(text) is not None and (is_secret_column(text.rstrip("'\"]")) or text == "USERINFO")


def _is_label(segment: Segment) -> bool:
    """Return whether an argument is the literal of a label: `'password='`, `token: %s`, `@host/`."""
    text = "".join(token.text for token in tokens_of(segment))
    text = text.strip("'\"")
    return text.startswith("@") or any(is_secret_column(each["name"] or each["flag"]) for each in _LABEL.finditer(text))
