"""Decide which brackets of a plan or a statement hold literals that meet a sensitive name, and where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, compress, pairwise

from .groups import CLAUSES, Group, Segment, Token, alias_of, has_name, is_name, is_value_of_name, last_name, tokens_of
from .mask import Span
from .names import is_secret_column, may_be_name
from .printed_literals import quoted_literals, unquoted_literals

_COMPARISONS = frozenset("in inset like rlike ilike regexp between is any some escape".split())
STRUCTS = frozenset("struct named_struct map create_map namedstruct createmap".split())
_MAKES = frozenset(
    "transform lambdafunction transform_values reduce aggregate map_from_arrays map_from_entries mapfromarrays".split()
)
"""Functions of a plan whose value has a secret if a struct or an array in it names one."""
_GENERATORS = frozenset(
    "stack explode explode_outer posexplode posexplode_outer inline inline_outer json_tuple default some".split()
)
_FORMATS = frozenset(
    "concat concat_ws format_string printf replace translate split split_part stringsplitsql substring_index"
    " regexp_extract regexp_extract_all regexp_replace".split()
)
"""Functions of a plan that put a value after a label, or take it from there: `concat(password=, x)`."""
_LABEL = re.compile(r"(?<![\w.-])(?P<name>[\w.-]{2,128})['\"]?\s?(?:[=:]|(?:is|was)\s)|--(?P<flag>[\w-]{2,64})\s")
_FILTERS = frozenset(
    "in not equalto equalnullsafe greaterthan greaterthanorequal lessthan lessthanorequal stringstartswith"
    " stringendswith stringcontains startswith endswith contains".split()
)
"""Filters of sources."""
_OF_COLUMN = _FILTERS | {"isnull", "isnotnull"}
"""Filters whose first argument is a column."""
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
_EQUALS = ("=", "==", "<=>", "in", "IN")
_ORDINARY = frozenset("pass token tokens secret secrets pin pins cookie cookies signature auth otp".split())
"""Names that are ordinary values of other columns than those of names: `result = 'pass'`."""
_OF_KEYS = ("k", "key", "name", "field", "column", "param", "parameter", "property", "setting", "option", "attribute")
_OF_OTHERS = CLAUSES - frozenset("set where having on when then else".split())
"""Clauses that are not conditions."""
_KEY = re.compile(r"\$?[\w.`\[\]'\"*/@-]{1,128}$")
_QUOTES = "'\""


def masked_spans(groups: list[Group], kind: Kind, at: int) -> list[Span]:
    """Return the spans of the literals in masked segments, in a text at an offset."""
    for group in reversed(groups):
        _pass_down(group, kind)
    return [
        (at + start, at + end)
        for group in groups
        for place, segment in enumerate(group.segments)
        if segment.masked
        for start, end in _literals(group, place, kind)
    ]


def _literals(group: Group, place: int, kind: Kind) -> Iterator[Span]:
    segment, keys = group.segments[place], _has_keys(group, place, kind)
    if segment.words[:1] == ["/"] and is_key(segment, kind):
        return iter(())  # a path of XML
    if not kind.plan:
        numbers = bool(group.opener) or segment.compares or alias_of(segment) is not None
        return quoted_literals(segment, keys=keys, numbers=numbers)
    return unquoted_literals(segment, segment.parts if group.opener else _after_sensitive(segment, kind), keys=keys)


def _has_keys(group: Group, place: int, kind: Kind) -> bool:
    """Return whether what is like the name of a secret is one at a place of brackets: a key, next to what has it."""
    segment = group.segments[place]
    is_value = segment.placed or _is_result(group, place) or is_value_of_name(segment)
    if is_value or (segment.compares and segment.sensitive):
        return False
    if group.keyed:
        return _compares_with_name(_within(segment))
    return group.opener != "(" or group.function in ("", *STRUCTS) or _may_be_key(group, place, kind)


def _is_result(group: Group, place: int) -> bool:
    """Return whether it is a result of a CASE, or the value of a sensitive key of a map or a struct."""
    if group.opener == "case":
        return group.segments[place].lead in ("then", "else")
    return group.function in STRUCTS and place % 2 > 0 and is_named(group.segments[place - 1])


def _may_be_key(group: Group, place: int, kind: Kind) -> bool:
    """Return whether an argument of a function may be a key: of a column, or the only one of `env('DB_PASSWORD')`."""
    if kind.plan:
        return place == 0 if group.function in _OF_COLUMN else not _has_value(group)
    several = len(group.segments) > 1 and not is_secret_column(group.function)
    literals = all(token.kind in ("quoted", "other") for each in group.segments for token in tokens_of(each))
    return group.function != "array" and not (several and (place == 0 or literals)) and not _has_value(group)


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
        segment.short = segment.has_code
    _extend_sets(group)
    _extend_views(group)
    _mask_values_of_key(group)
    if kind.plan and group.opener == "(" and not group.function:
        _extend_comparison(group)
    _evaluate_brackets(group, kind)


def _evaluate_brackets(group: Group, kind: Kind) -> None:
    if group.opener == "case":
        _evaluate_case(group)
    elif group.opener == "[":
        _mask_commas(group)
        _evaluate_index(group, kind)
    elif group.opener == "(":
        calls = group.function and (kind.plan or group.function not in _COMPARISONS)
        _evaluate_call(group, kind) if calls else _evaluate_list(group)
    elif not group.opener:
        _mask_generator(group) if kind.plan else _mask_parameters(group)


def _evaluate_index(group: Group, kind: Kind) -> None:
    first = group.segments[0]
    is_index = bool(group.function) and is_key(first, kind)
    group.sensitive = len(group.segments) == 1 and (is_index or (not kind.plan and is_name("_".join(first.words))))
    group.listed = any(map(_lists_name, group.segments))


def _extend_comparison(group: Group) -> None:
    """Mask the parts of a literal that is compared and has commas: `(password#1 = x, y)`."""
    for before, segment in pairwise(group.segments):
        if before.sensitive and before.compares and not segment.has_id:
            segment.masked = segment.sensitive = segment.compares = True


def _mask_values_of_key(group: Group) -> None:
    """Mask the columns `value` next to one that is the literal name of a secret: `'password' AS k, 'x' AS v`."""
    aliases = [(segment, alias_of(segment)) for segment in group.segments]
    if any(alias and is_literal_name(each.parts[0]) for each, alias in aliases):
        mask([each for each, alias in aliases if alias and last_name(alias).partition("#")[0] in _OF_VALUES])


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


def _evaluate_call(group: Group, kind: Kind) -> None:
    name = group.function.rpartition(".")[2].strip("'")
    if name in STRUCTS:
        _mask_entries(group, kind)
        group.listed = _has_value(group) or any(map(is_named, group.segments[::2]))
    elif name not in _NO_VALUES and (kind.plan or name not in _OF_COLUMNS):
        _evaluate_arguments(group, name, kind)


def _evaluate_arguments(group: Group, name: str, kind: Kind) -> None:
    """Mask the literals among the arguments of a function if one of them is sensitive, or the name of a secret."""
    group.listed = (not kind.plan or name in _MAKES) and any(part.listed for part in group.parts)
    if kind.plan and name in _FILTERS and _has_name_within(group.segments[0]):
        _read_literals(group.segments, short=name.endswith(("with", "contains")))
        mask(group.segments)
    elif group.listed or _has_value(group) or _is_named_call(group, name, kind):
        group.sensitive = name != "assignment"  # of an UPDATE, next to others
        mask(group.segments)


def _read_literals(segments: list[Segment], *, short: bool) -> None:
    """Make words of what is like an attribute in a source's filter, which has none: `EqualTo(password,x#1)`."""
    column, *values = segments
    for value in values:
        value.short = value.compares = short or column.short
    if all(each.kind != "id" for each in tokens_of(column)):
        for token in chain.from_iterable(map(tokens_of, values)):
            token.kind = "word" if token.kind == "id" else token.kind


def _has_name_within(segment: Segment) -> bool:
    return any(is_name(each.text) for each in tokens_of(segment))


def _is_named_call(group: Group, name: str, kind: Kind) -> bool:
    """Return whether the function has a sensitive name, or a literal among its arguments is, has or is compared to one.

    `element_at(m, 'token')`, `concat('password=', x)`, `from_csv(x, 'password STRING')`, `if(k = 'token', x, v)`.
    """
    if is_secret_column(group.function) and (not kind.plan or group.attribute or not _is_of_names(group)):
        return True
    if kind.plan and name in _FILTERS:
        return False
    labelled = not kind.plan or name in _FORMATS
    return any(_names_secret(each, kind, labelled=labelled) for each in group.segments)


def _names_secret(argument: Segment, kind: Kind, *, labelled: bool) -> bool:
    return is_key(argument, kind) or _compared_name(_within(argument)) or (labelled and _is_label(argument, kind))


def _is_of_names(group: Group) -> bool:
    """Return whether brackets are empty or have only attributes, as those of an operator or a relation of that name."""
    return not group.segments[0].parts or all(each.has_id for each in group.segments)


_NO_VALUES = frozenset(
    "windowspecdefinition specifiedwindowframe hashpartitioning rangepartitioning structfield structtype"
    " hashaggregate objecthashaggregate sortaggregate jdbcrelation options tblproperties dbproperties table".split()
)


def _evaluate_case(group: Group) -> None:
    """Mask what a CASE compares with a sensitive operand, and its other results where one is sensitive."""
    mask([result for key, result in pairwise(group.segments) if key.lead == "when" and is_named(key)])
    operand, results = group.segments[0], [each for each in group.segments if each.lead in ("then", "else")]
    group.sensitive = any(each.sensitive and not each.compares for each in results)
    for segment in group.segments[1:]:
        chosen = segment.lead == "when" and operand.sensitive
        segment.placed = chosen or segment.placed
        segment.masked = segment.masked or chosen or (segment.lead != "when" and group.sensitive)


def _mask_entries(group: Group, kind: Kind) -> None:
    """Mask the values of a map's or a struct's entries that have a sensitive key.

    A literal of a plan may have commas: its parts are those up to the next attribute, if there is one too many.
    """
    if any(is_named(value) and not is_named(key) for key, value in group.entries):
        mask([value for _, value in group.entries])
    odd = kind.plan and len(group.segments) % 2
    for place, key in enumerate(group.segments[:-1]):
        if (odd or not place % 2) and is_named(key):
            following = group.segments[place + 1 :]
            ends = (number for number, each in enumerate(following) if number and (not odd or each.has_id))
            mask(following[: next(ends, len(following))])


def _mask_object(group: Group) -> None:
    """Mask the values of sensitive names in an object of JSON, and the other values of one that is about such a name.

    `{"password": ["x", "y"]}`, `{"field": "password", "in": ["x", "y"]}`.
    """
    entries = _entries_of_object(group)
    about = any(_is_about(value) and not is_named(key) for key, value in entries)
    for key, value in entries:
        value.masked = value.masked or is_named(key) or (about and not _is_named_in(key, _OF_FIELDS))


def _entries_of_object(group: Group) -> list[tuple[Segment, Segment]]:
    return [(key, value) for key, value in pairwise(group.segments) if value.lead == ":"]


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


def is_literal_name(part: Token | Group | None) -> bool:
    """Return whether it is a literal that is a sensitive name: `'password'`, in a plan `password`."""
    return (
        isinstance(part, Token)
        and part.kind in ("quoted", "word")
        and part.text[:1] not in (".", "`")
        and may_be_name(part.text.strip("'\""))
    )


def _lists_name(item: Segment) -> bool:
    """Return whether an item of a folded array is the name of a secret, or an array that has one: `[password,x]`."""
    return any(part.listed for part in item.brackets) or is_literal_name(item.only)


def is_named(key: Segment) -> bool:
    """Return whether an item is a sensitive name."""
    return key.only is not None and is_name(key.only.text)


def _mask_generator(line: Group) -> None:
    """Mask what makes a sensitive name outside an expression: `Generate stack(1, a), false, [password#1]`."""
    words = [each.text for each in tokens_of(line.segments[0])]
    if "Pivot" in (word.strip("'") for word in words[:_TREE]):
        _mask_pivoted(line)
    groups = line.parts
    alters = words[0].startswith("AlterColumn") and any(map(is_name, words)) if words else False
    if alters or any(map(_makes_secret, groups)):
        made = groups if "Generate" in words[:_TREE] else [each for each in groups if each.function in _GENERATORS]
        mask([each for group in made for each in group.segments])


def _makes_secret(outputs: Group) -> bool:
    return outputs.opener == "[" and any(each.sensitive or is_key(each, _LINE) for each in outputs.segments)


def _mask_pivoted(line: Group) -> None:
    """Mask the values of a sensitive column: `Pivot [keys], column, [values]`, the keys only if there are some."""
    columns = pairwise(line.segments[:3])
    mask([values for column, values in columns if _has_name_within(column)])


def _mask_parameters(statement: Group) -> None:
    """Mask all parameters of a query, or of a procedure, with a sensitive name.

    `EXECUTE IMMEDIATE '… password = ?' USING 1, 'x'`, `EXEC sp_password NULL, 'x'`, `PREPARE q AS …; EXECUTE q('x')`.
    """
    inside = prepared = False
    for segment in statement.segments:
        tokens = segment.tokens
        executes = any(each.text.lower() in ("execute", "exec", "call", "parameters", "params") for each in tokens)
        named = any(each.kind == "quoted" and has_name(each.text) for each in tokens)
        prepared = prepared or segment.sensitive or named
        inside = (inside and not segment.lead) or (executes and prepared)
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


def _extend_views(group: Group) -> None:
    """Mask what makes a sensitive column of a `LATERAL VIEW inline(…) t AS k, password`."""
    views = [segment for segment in group.segments if segment.clause == "lateral"]
    for view in views if any(each.sensitive for each in views) else ():
        view.masked = view.sensitive = True


def mask_keyed(group: Group, kind: Kind) -> None:
    """Mask what is compared next to the name of a secret: `key = 'password' AND value = 'x'`."""
    _mask_keyed_filters(group)
    nested = (part.keyed for part in group.parts if part.opener == "(" and not part.function)
    group.keyed = any(map(_compares_with_name, map(_within, group.segments))) or any(nested)
    if group.keyed:
        of_line = kind.plan and not group.opener  # its segments begin with an operator's name
        masked = (_within(each).compares if of_line else each.lead not in _OF_OTHERS for each in group.segments)
        mask(list(compress(group.segments, masked)))


def _compares_with_name(segment: Segment) -> bool:
    return segment.compares and _compared_name(segment)


def _mask_keyed_filters(group: Group) -> None:
    """Mask what pushed filters compare next to the name of a secret: `EqualTo(k,password), EqualTo(v,x)`."""
    filters = [part for part in group.parts if part.function in _FILTERS and len(part.segments) == 2]
    if any(is_named(each.segments[1]) for each in filters):
        mask([each.segments[1] for each in filters])


def _within(segment: Segment) -> Segment:
    """Return the segment within the brackets that a segment consists of."""
    while len(segment.parts) == 1 and isinstance(only := segment.parts[0], Group) and len(only.segments) == 1:
        segment = only.segments[0]
    return segment


def _compared_name(segment: Segment) -> bool:
    """Return whether a column is compared with the name of a secret: `k = 'password'`, `k IN ('password', 'x')`."""
    if len(segment.parts) < 3:
        return False
    column, before = segment.parts[-3:-1]
    last = next(iter(_within(Segment("", "", segment.parts[-1:])).parts), None)
    if isinstance(last, Group):
        return segment.words[-2] == "in" and _lists_key(last) and _is_of_key(segment.first)
    equals = isinstance(before, Token) and before.kind != "other" and before.text in _EQUALS
    return equals and last is not None and _is_key_of(last, column)


def _lists_key(group: Group) -> bool:
    return any(is_literal_name(each.only) for each in group.segments)


def _is_key_of(literal: Token, column: Token | Group) -> bool:
    """Return whether a literal is the name of a secret, rather than a value, or an ordinary value of a column.

    Args:
        literal: The literal.
        column: What it is compared with.
    """
    if literal.kind not in ("quoted", "word") or literal.text[0] in '`"' or not is_name(literal.text):
        return False
    if isinstance(column, Token) and last_name(column).partition("#")[0] in _OF_VALUES:
        return False
    ordinary = literal.text.strip(_QUOTES).lower() in _ORDINARY
    return not ordinary or isinstance(column, Group) or _is_of_key(column)


def _is_of_key(column: Token | None) -> bool:
    """Return whether a column has names of settings: `k`, `setting_key`, `field`."""
    return column is None or column.text.partition("#")[0].lower().endswith(_OF_KEYS)


def _pass_down(group: Group, kind: Kind) -> None:
    for segment in (each for each in group.segments if each.masked):
        parts = segment.parts if group.opener or not kind.plan else _after_sensitive(segment, kind)
        for inner in (part for part in parts if isinstance(part, Group)):
            names_expression = inner.attribute and not inner.function  # `(id % 2)#5`
            if inner.function not in ("structfield", "windowspecdefinition") and not names_expression:
                _mask_inner(inner, group, segment, kind)


def _mask_inner(inner: Group, group: Group, segment: Segment, kind: Kind) -> None:
    """Mask the values in brackets of a masked segment.

    Args:
        inner: The brackets.
        group: What the segment is in.
        segment: The segment.
        kind: The kind of the text.
    """
    folded = inner.opener == "[" and not inner.function and group.opener == "("
    is_side = segment.compares and inner.function in ("", "in", "array")
    for each in inner.segments[1::2] if _has_entries(inner, kind) else inner.segments:
        each.masked = True
        each.placed = each.placed or folded
        each.short = each.short or segment.short
        if is_side:
            each.compares = True
            each.sensitive = each.sensitive or segment.sensitive


def _has_entries(group: Group, kind: Kind) -> bool:
    """Return whether a plan prints names and values in turn."""
    return kind.plan and group.function.strip("'") in STRUCTS and not len(group.segments) % 2


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
    texts = [part.text.strip("'") if isinstance(part, Token) else "" for part in segment.parts[:8]]
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
    return kind.plan and _has_alias_of_parts(segment)


def _has_alias_of_parts(segment: Segment) -> bool:
    """Return whether the alias is a sensitive name of two words or has brackets: `x AS api-key#1`, `PIN (new)#1`."""
    parts = [part for part in segment.parts[-5:] if isinstance(part, Group) or part.text != "-"]
    before, first, last = parts[-3:] if len(parts) > 3 else (None, None, None)
    aliased = isinstance(before, Token) and before.text.lower() == "as" and segment.has_id
    second = f"_{last.text}" if isinstance(last, Token) else ""
    return aliased and isinstance(first, Token) and is_name(first.text + second)


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
    return group.listed and (compares or aliased)


def _is_sensitive(token: Token, segment: Segment, kind: Kind) -> bool:
    if token.kind == "id":
        return is_name(token.text) or token.text[token.text.rindex("#") :] in kind.made
    if token.kind == "name":
        return is_name(token.text) or not kind.made.isdisjoint(f"'{part}" for part in token.text[1:].split("."))
    if kind.plan:
        named = is_name(token.text) and _is_field_or_compared(token, segment)
        return token.kind == "word" and (named or token.text in kind.made)
    if token.kind == "word":
        return is_name(token.text) or last_name(token) in kind.made
    return token.kind == "quoted" and token.text[0] == '"' and "," not in token.text and is_name(token.text[1:-1])


def _is_field_or_compared(token: Token, segment: Segment) -> bool:
    """Return whether a word of a plan is a field, `.password`, or left of a comparison."""
    beside = segment.parts[1:2] if token is segment.parts[0] else []
    compared = (isinstance(each, Token) and _compares(each) and each.start > token.end for each in beside)
    return token.text.startswith(".") or any(compared)


def is_key(segment: Segment, kind: Kind) -> bool:
    """Return whether an argument is a literal with the name of a secret: a key of a map, a path of JSON."""
    parts = segment.parts[:-1] if segment.words[-2:] == ["text", ""] else segment.parts  # `//password/text()`
    texts = [part.text for part in parts if isinstance(part, Token) and part.kind in ("quoted", "word", "other")]
    if len(texts) != len(parts) or not texts:
        return False
    is_literal = kind.plan or (len(texts) == 1 and texts[0][0] in "'\"")
    text = "".join(texts).strip("'\"").removesuffix("()").removesuffix("/text") if is_literal else ""
    return _KEY.match(text) is not None and (is_secret_column(text.rstrip("'\"]")) or text == "USERINFO")


def _is_label(segment: Segment, kind: Kind) -> bool:
    """Return whether an argument is a literal with the name of a secret: `'password='`, `token: %s`, `a INT, pin INT`.

    A path is not, though its folders may have such names.
    """
    text = "".join(token.text for token in tokens_of(segment)).strip(_QUOTES)
    if text.startswith("@"):
        return True
    if not kind.plan and segment.only is not None and segment.only.kind == "quoted" and "/" not in text:
        return has_name(text)
    return any(is_secret_column(each["name"] or each["flag"]) for each in _LABEL.finditer(text))
