"""Prove the names of attributes that look like a plan's structure, by the places that print them.

Spark quotes no name: `[k#1, x AS y#2]`. Each kind of evidence is one function:

* `names_of_children`: a name that is the text of its expression, `concat(#1, a#2) AS concat(#1, a)#3`, as of grouping
  keys (`ResolveGroupingAnalytics`: the SQL, in 3.5 the text with ids) and select lists without aliases.
* `repeated_names`: what the text before all places of an id has in common; it differs from place to place.
* `scanned_columns`: a table's list in a logical plan has commas without spaces, `db.t[x#1, y#2#30,c)#31]`, a scan's
  `ReadSchema` has the names, and the ids of a table's columns follow each other.
* `unused_aliases`: aliases that nothing uses are a literal's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER
from eventlog_lineage.plan.grammar.attribute_ids import ANY_ID, common_start, hidden_groups, without_quoted

from .readings import BRACKETS, CALL, Balance, unmatched
from .types import struct_fields

_ALIAS_OF_CALL = re.compile(r"(?<=[)\]D]) AS ")
_NO_NAME = re.compile(rf"(?<![\w)\]`]){ID}")
"""An id without a name before it, which is a literal's: `concat(#1, a)`."""
_END = re.compile(rf"(?<=[)\]D])#({NUMBER})L?(?!\w|{ID_START})")
_BEFORE_CALLS = ("[", ", ")
_LONGEST = 600
_MOST_ALIASES = 400
_MOST_ENDS = 40


def with_names_of_children(found: Mapping[int, str], text: str, columns: Sequence[str]) -> dict[int, str]:
    """Return attributes with those that are named by an expression, without parts of other names.

    Args:
        columns: Columns of scans, as printed: `f(c)#7, x#1` is not an attribute if `c)#7` is one.
    """
    named = names_of_children(text)
    kept = {
        expr_id: each
        for expr_id, each in found.items()
        if not _is_part(each, named.values()) and not any(column in each and column != each for column in columns)
    }
    return kept | dict(named)


def _is_part(attribute: str, names: Collection[str]) -> bool:
    """Return whether an attribute with a single bracket is a part of a name: the `concat(#1` of `concat(#1, a)#3`."""
    return unmatched(attribute) > 0 and any(attribute in name and attribute != name for name in names)


@lru_cache(maxsize=4)
def names_of_children(text: str) -> Mapping[int, str]:
    r"""Return the attributes whose names are the text of an expression, with or without ids: id to attribute.

    >>> names_of_children("[concat(#1, a#2) AS concat(#1, a)#3]\n[concat(#1, a)#3, concat(#1, a)#4]")
    {3: 'concat(#1, a)#3', 4: 'concat(#1, a)#4'}
    """
    names = {name for line in dict.fromkeys(text.split("\n")) for name in _names(line)}
    found: dict[int, str] = {}
    for name in sorted(names, key=len):
        printed = re.finditer(rf"(?<=[\[(, ]){re.escape(name)}#({NUMBER})L?(?!\w|{ID_START})", text)
        found.update({int(match[1]): match[0] for match in printed})
    return found


def _names(line: str) -> Iterator[str]:
    """Yield the names in a line that are the text before their AS and look like a plan's structure."""
    for number, alias in enumerate(_ALIAS_OF_CALL.finditer(line)):
        if number == _MOST_ALIASES:
            return
        start = alias.end()
        for place, end in enumerate(_END.finditer(line, start, start + _LONGEST)):
            if place == _MOST_ENDS:
                break
            name = line[start : end.start()]
            if name[-1] == line[alias.start() - 1] and _is_text_before(name, line, alias.start()):
                if _is_odd(name, has_ids=line.endswith(name, 0, alias.start())):
                    yield name
                break


def _is_odd(name: str, *, has_ids: bool) -> bool:
    """Return whether a name looks like a plan's structure: an id in it is a literal's, unless it has all ids."""
    inner = _NO_NAME if has_ids else ANY_ID
    return "(" in name and (inner.search(name) is not None or " AS " in name or unmatched(name) > 0)


def _is_text_before(name: str, line: str, at: int) -> bool:
    """Return whether an item of a list before an offset is a name's text, apart from the ids of attributes."""
    before = ANY_ID.sub("", line[max(0, at - 3 * len(name) - _LONGEST) : at])
    plain = ANY_ID.sub("", name)
    return before.endswith(tuple(f"{boundary}{plain}" for boundary in _BEFORE_CALLS))


LAST_ID = re.compile(rf"#({NUMBER})L?(?!\w|{ID_START})")
"""An id that no other id follows: the `#3` of `w#3#5` is part of a name."""
_INNER = re.compile(rf"#({NUMBER})L?, ")
_SEPARATOR = re.compile(rf"{ID},(?! )")
"""Between the columns of a scan's list, `[id#1L,x AS y#2]`."""
_PIVOT = re.compile(rf"__pivot_(?!col{ID})[^\n]*? AS `(?:[^`\n]|``)*`#{NUMBER}")
"""The values of a pivot, ``__pivot_min(v) AS `min(v)`#9`` (`ResolvePivot`, 3.0 to 4.3)."""
_QUOTED_NAME = re.compile(rf"(?<=[\[( ])(?:\w+\.)*`[^`\n]*#[^`\n]*`(?:\.`[^`\n]+`)*#{NUMBER}L?(?!\w)")
"""A column as the SQL of an expression names it, ``r.`x#1, y#2`#9`` (`RewriteDistinctAggregates`, 3.0 to 4.3)."""
_LIST_OF_SCAN = re.compile(rf"(?:[\w`]\[|{ID},)$")
"""Before a column in a scan's list: `t[`, or the column before it; the values of an IN have no ids."""
_LIST_OF_V2 = re.compile(r"(?:RelationV2|V2(?:Scan)?Relation|(?:Batch|MicroBatch|Continuous)Scan(?: \S+)?)\[$")
"""Before the first column in the list of a V2 table, whose commas have spaces: `RelationV2[id#1L, x#2] cat.db.t`."""
_ID_SIZE = 24
_INDEX = re.compile(rf"{ID}(?:\.\w+|\[\d+\])*\[$")
"""After an attribute a bracket is an index, `items#1[0].sku AS sku#2`."""
_BOUNDARIES = "[(, "
_BEFORE_NAMES = f"{_BOUNDARIES}-"
"""What is before an attribute; a minus negates it, `-p[q#3`."""
_PYTHON = re.compile(r"(?:^Arguments: |EvalPython )\[(.*)\], \[pythonUDF\d", re.MULTILINE)
_END_OF_CALL = re.compile(rf"\)#({NUMBER})L?(?:, |$)")
_END_OF_ITEM = re.compile(rf"{ID}(?:[,\]\n]|$)")
_FARTHEST = 4_000
_NEAR = 1_000
"""The ids of a plan's attributes are near each other; the `#1` of a literal or of a name is a number of any size."""
WORD_WITH_ID = re.compile(rf"(?<!\w)\w+{ID}(?!\w)")
"""What can be an attribute with a plain name, `qty#3`."""
_MOST_OFFSETS = 40
_MOST_IDS = 3_000


def repeated_names(text: str, columns: Sequence[str] = ()) -> list[str]:
    r"""Return the attributes, as printed, whose names are certain from all places that print them.

    Args:
        columns: The attributes of scans with such names (`scanned_columns`), which are certain.

    >>> repeated_names("Project [a#1, x AS y#2]\n+- Project [a#1, b#3 AS x AS y#2]")
    ['x AS y#2']
    """
    found = _certain_names(text, text)
    if within := [each for each in (*found.values(), *columns) if ANY_ID.search(each.rpartition("#")[0])]:
        inner = {int(match[1]) for each in columns for match in LAST_ID.finditer(each.rpartition("#")[0])}
        found = {expr_id: name for expr_id, name in found.items() if expr_id not in inner}
        blanked = _blanked(text, within)
        ids = {int(match[1]) for match in LAST_ID.finditer(blanked)}  # without the `AS d#4` of `concat(AS d#4, -)#7`
        found = {expr_id: name for expr_id, name in found.items() if expr_id in ids}
        found = {**_certain_names(blanked, text), **found}
    found = with_names_of_children(found, text, columns)
    named = (match[0] for pattern in (_PIVOT, _QUOTED_NAME) for match in pattern.finditer(text))
    return [*found.values(), *dict.fromkeys((*named, *columns))]


def _certain_names(text: str, printed: str) -> dict[int, str]:
    """Return the attributes whose names are certain, by id.

    Args:
        text: The plan text, in which known names can be blanked.
        printed: The plan text as printed, of the same length.
    """
    offsets = _offsets_of_ids(text)
    results = _python_results(text)
    found: dict[int, str] = {}
    for expr_id, ends in offsets.items():
        if (
            len(ends) > 1
            and expr_id not in results
            and (name := _name(expr_id, text, offsets))
            and not _is_open_case(name)
        ):
            suffix = "L" if text.startswith(f"#{expr_id}L", ends[0]) else ""
            found[expr_id] = f"{printed[ends[0] - len(name) : ends[0]]}#{expr_id}{suffix}"
    return found


def _blanked(text: str, attributes: Sequence[str]) -> str:
    """Return a text of the same length without the names of attributes: the `x#1` of `x#1, y#2#88` is not one."""
    names = [attribute.rpartition("#")[0] for attribute in attributes]
    for attribute, name in zip(attributes, names, strict=True):
        blank = "_" * len(name)
        text = text.replace(attribute, f"{blank}{attribute[len(name) :]}")
        for before in "<,":
            text = text.replace(f"{before}{name}:", f"{before}{blank}:")  # in a scan's `ReadSchema`
    for name in sorted(set(names), key=len, reverse=True):
        text = _without_name(text, name)
    return text


def _without_name(text: str, name: str) -> str:
    """Return a text of the same length without a name in the SQL of expressions: `sum(length(x#1, y#2))#9`.

    Args:
        name: The name. Where something in it that looks like an attribute is also printed without the rest of it,
            that may be an attribute, and nothing is blanked.
    """
    printed = re.compile(rf"{re.escape(name)}(?!\w|{ID_START})")
    return printed.sub("_" * len(name), text) if WORD_WITH_ID.search(name) and is_whole(name, text) else text


def is_whole(name: str, text: str) -> bool:
    """Return whether all that looks like an attribute in a name is printed with the rest of the name only."""
    words = Counter(WORD_WITH_ID.findall(name))
    every = Counter(match[0] for match in WORD_WITH_ID.finditer(text) if match[0] in words)
    found = len(re.findall(rf"{re.escape(name)}(?!\w)", text)) if words else 0
    return all(every[word] == count * found for word, count in words.items())


def _python_results(text: str) -> set[int]:
    """Return the ids of calls of Python functions, `<lambda>(a#1)#2` (`PythonUDF.toString`, 3.0 to 4.3): no names."""
    if "pythonUDF" not in text:
        return set()
    return {int(expr_id) for calls in _PYTHON.findall(text) for expr_id in _END_OF_CALL.findall(calls)}


def _offsets_of_ids(text: str) -> dict[int, list[int]]:
    offsets: dict[int, list[int]] = {}
    for match in LAST_ID.finditer(text):
        known = offsets.setdefault(int(match[1]), [])
        if len(offsets) > _MOST_IDS:
            return {}
        if len(known) < _MOST_OFFSETS:
            known.append(match.start())
    return offsets


def _name(expr_id: int, text: str, offsets: Mapping[int, Sequence[int]]) -> str:
    """Return the name before an id, if it is certain; else an empty text."""
    ends = offsets[expr_id]
    before = [text[max(0, end - _LONGEST) : end][::-1] for end in ends]
    common = common_start(min(before), max(before))[::-1].rpartition("\n")[2]
    if not common or len(common) == _LONGEST:
        return ""
    contexts = _before(common, text, ends)
    if common.startswith(" AS ") and not any(each.endswith((" AS", ",")) for each in contexts):
        name = common[4:]  # every place defines it
        return name if _is_expression(name) else ""
    is_start = all(context[-1:] in _BEFORE_NAMES for context in contexts) and common[0] != " "
    name = common if is_start else _from_start(common)
    return name and _checked(name, expr_id, text, offsets)


def _checked(name: str, expr_id: int, text: str, offsets: Mapping[int, Sequence[int]]) -> str:
    """Return a name that is before all places of an id, or the part of it that is certain; else an empty text."""
    ends = offsets[expr_id]
    contexts = _before(name, text, ends)
    starts = [end - len(name) for end in ends]
    if any(_is_in_list_of_scan(text, start) for start in starts):
        indexed = (_INDEX.search(text, max(0, start - _LONGEST), start) for start in starts)
        return "" if any(indexed) else _SEPARATOR.split(name)[-1]
    if len({each[-2:] for each in contexts}) == 1:
        return ""
    if not any(each.endswith(" AS ") for each in contexts):
        return name if _is_expression(name) else ""
    hides = _has_attribute(name, expr_id, text, offsets) or _opens_around_attribute(name, text, offsets)
    return "" if hides else name


def _is_in_list_of_scan(text: str, start: int) -> bool:
    """Return whether a name begins a column in the list of a scan, whose commas have no spaces."""
    begins = max(text.rfind("\n", 0, start), start - _LONGEST, 0)
    in_list = _LIST_OF_SCAN.search(text, max(0, start - _ID_SIZE), start) is not None
    return in_list and _LIST_OF_V2.search(text, begins, start) is None


def _is_open_case(name: str) -> bool:
    """Return whether a name is the start of a CASE whose literal has an id: `CASE WHEN a#1 THEN #12 END`."""
    visible = without_quoted(name)
    return " THEN " in visible and visible.count("CASE WHEN ") > visible.count(" END")


def _before(name: str, text: str, ends: Sequence[int]) -> set[str]:
    """Return what is before a name at its places, up to four characters."""
    return {text[max(0, end - len(name) - 4) : end - len(name)] for end in ends}


def _from_start(common: str) -> str:
    """Return a text from the first offset at which a name can start; empty if there is none."""
    starts = (at for at in range(1, len(common)) if common[at - 1] in _BOUNDARIES and common[at] != " ")
    return common[next(starts, len(common)) :]


def _has_attribute(name: str, expr_id: int, text: str, offsets: Mapping[int, Sequence[int]]) -> bool:
    """Return whether a name contains an attribute that is also printed without the rest of the name.

    `a#1, b` cannot be a name if something other than `, b` follows an `a#1`.
    """
    hidden = hidden_groups(name)
    for match in _INNER.finditer(hidden):
        start = hidden.rfind(", ", 0, match.start()) + 2
        last, rest = name[start if start > 1 else 0 : match.start()], name[match.start() :]
        ends = offsets.get(int(match[1]), ())
        is_name = all(text.endswith(last, 0, end) for end in ends)
        others = (end for end in ends if not text.startswith(rest, end))
        is_near = "(" in last or abs(expr_id - int(match[1])) < _NEAR
        if is_name and any(is_near or _is_listed(text, end - len(last), end) for end in others):
            return True
    return False


def _is_listed(text: str, start: int, end: int) -> bool:
    """Return whether an attribute is an item of a list or an alias; `x#1` in `split(a#2, x#1, , -1)` is a literal."""
    if not _END_OF_ITEM.match(text, end):
        return False
    if text.endswith((" AS ", "["), 0, start):
        return True
    depth = 0
    for match in BRACKETS.finditer(text[max(0, start - _FARTHEST) : start][::-1]):
        depth += 1 if match[0] in ")]" else -1
        if depth < 0:
            return match[0] == "["
    return False


def _opens_around_attribute(name: str, text: str, offsets: Mapping[int, Sequence[int]]) -> bool:
    """Return whether a name has single brackets and an attribute that is also printed without them.

    `concat(note#39, Input [2]: [a#1, b#2])` ends in a literal: `concat(note#39, Input [2]: [a#1, b` is not the name of
    `#2`.
    """
    balance = Balance()
    balance.add(name)
    is_call = name.endswith(")") and CALL.match(name) and not balance.round and not balance.closed
    if not balance.unmatched or is_call:  # a single bracket of a literal within a call: `f(%s [%d, a#1)`
        return False
    inner = ((match, offsets.get(int(match[1]), ())) for match in LAST_ID.finditer(name))
    return any(not text.endswith(name[: match.start()], 0, end) for match, ends in inner for end in ends)


def _is_expression(name: str) -> bool:
    """Return whether a name can be the SQL of an expression: commas, AS and single brackets are in quotes only."""
    visible = hidden_groups(name)
    return not unmatched(visible) and ", " not in visible and " AS " not in visible


_SEPARATOR_AFTER = re.compile(r"(?<=\d),(?=[^ ])|(?<=\dL),(?=[^ ])")
_RELATION = re.compile(r"(?<![\w'])Relation(?!V2) ?[^\[\n]*\[([^\n]*)\](?: \w+)?$", re.MULTILINE)
"""A table's list, `Relation[a#1,b#2] parquet` up to 3.1; other relations' have spaces after their commas."""
_LOGICAL_RELATION = re.compile(r"^Arguments: [\w.$]+, \[([^\n]*)\], (?:`[^\n]*`, )?(?:true|false)$", re.MULTILINE)
"""A table in the logical plan that a physical operator prints, in formatted text (`UnionLoop`, 4.1+; commands)."""
_CERTAIN_RUN = 3
_READ_SCHEMA = re.compile(r"ReadSchema: (struct<[^\n]*>)$", re.MULTILINE)


def scanned_columns(text: str) -> list[str]:
    r"""Return the attributes with the name of a scanned column that looks like plan structure: `x#1, y#2#55`, `c)#3`.

    >>> scanned_columns("Relation db.t[id#1,x#1, y#2#2] parquet")
    ['x#1, y#2#2']
    >>> scanned_columns("LocalRelation <empty>, [c#1, v#2]\\nHiveTableRelation `d`.`t`, [a#1, b#2]")
    []
    """
    listed = list(_columns_of_relations(text))
    read = [name for match in _READ_SCHEMA.finditer(text) for name, _ in struct_fields(match[1])]
    found = {each: None for each in listed if unmatched(each) or ", " in each or " AS " in each}
    names = dict.fromkeys((*(each.rpartition("#")[0] for each in listed), *read))
    for name in filter(ANY_ID.search, names):  # only these: `upper(c)#9` ends like a column `c)`
        found |= dict.fromkeys(re.findall(rf"{re.escape(name)}{ID}(?!\w|{ID_START})", text))
    return list(found)


def _columns_of_relations(text: str) -> Iterator[str]:
    for match in _RELATION.finditer(text):
        yield from _SEPARATOR_AFTER.split(match[1])
    for match in _LOGICAL_RELATION.finditer(text):
        for name in _consecutive(match[1]):
            is_certain = _is_certain(name, match[1]) or is_whole(name.rpartition("#")[0], text)
            if is_certain and _is_only_name(name, text):
                yield name


def _is_certain(attribute: str, columns: str) -> bool:
    """Return whether a column `x#1, y#2#46` has a name that ends in an id, and columns with the next ids after it."""
    name, _, expr_id = attribute.rpartition("#")
    following = (f"#{int(expr_id.rstrip('L')) + place}" for place in range(1, _CERTAIN_RUN + 1))
    return ANY_ID.search(name[name.rfind("#") :]) is not None and all(each in columns for each in following)


def _is_only_name(attribute: str, text: str) -> bool:
    name, _, expr_id = attribute.rpartition("#")
    ends = re.finditer(rf"#{expr_id}(?!\w|{ID_START})", text)
    return all(text.endswith(name, 0, match.start()) for match in ends)


def _consecutive(text: str) -> Iterator[str]:
    """Yield the columns of a table from the last one on: their ids follow each other (`LogicalRelation`, 2.4 to 4.3).

    >>> list(_consecutive("x#1, y#2#30, p[q#31, w#3#32"))
    ['w#3#32', 'p[q#31', 'x#1, y#2#30']
    """
    ends = [(match.end(), int(match[1])) for match in LAST_ID.finditer(text)]
    stop, expr_id = ends[-1]
    for end, before in reversed(ends[:-1]):
        if before == expr_id - 1 and text.startswith(", ", end):
            yield text[end + 2 : stop]
            stop, expr_id = end, before
    yield text[:stop]


_ALIAS = re.compile(rf" AS (\w+)({ID})(?!\w)")


def unused_aliases(physical: str, logical: str, columns: Collection[str]) -> frozenset[str]:
    """Return the attributes of a physical plan that only ever follow an AS: `AS z#9` in a literal.

    An operator above uses each column, or the result has it; but a union has the ids of its first input, and a cached
    relation has new ones.

    Args:
        columns: The names of the result's columns; nothing is known without them.
    """
    if not columns or "Union" in physical or "InMemory" in physical:
        return frozenset()
    aliases = {f"{match[1]}{match[2]}" for match in _ALIAS.finditer(physical) if match[1] not in columns}
    text = f"{physical}\n{logical}"
    every = Counter(WORD_WITH_ID.findall(text))
    after_as = Counter(f"{name}{expr_id}" for name, expr_id in _ALIAS.findall(text))
    return frozenset(alias for alias in aliases if every[alias] == after_as[alias])
