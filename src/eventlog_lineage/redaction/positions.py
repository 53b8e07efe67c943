"""Mask literals at the places of columns with sensitive names: of INSERT, CTEs, views, UNION, rows of JSON and code.

A name that meets a sensitive value, by its place, as an alias or in a comparison, is sensitive as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from .groups import Group, Segment, Token, alias_of, columns_of, is_name, last_name, sides, tokens_of
from .sensitive_groups import STRUCTS, is_named, mask

_COMBINES = frozenset("union intersect except minus".split())


def mask_positions(group: Group) -> None:
    """Mask a query's literals at the places of columns with sensitive names: of a list next to it, of a UNION.

    `t(id, password) AS (SELECT 1, 'x')`, `(VALUES (1, 'x')) AS t (id, password)`, `INSERT INTO t (id, password) …`.
    """
    for segment in group.segments:
        _mask_tuples(segment)
    rows = _rows(group)
    combined = not _COMBINES.isdisjoint(segment.lead for segment in group.segments)
    for columns in chain(rows if combined else (), _columns(group)):
        _place(rows, columns)
    for named, query in _named_queries(group):
        _place(_rows(query), named.segments)


def _mask_tuples(segment: Segment) -> None:
    """Mask only the places of sensitive columns in `(login, password) = ('a', 'x')`, `(login, password) IN (…)`."""
    if len(segment.parts) == 3 and len(segment.brackets) == 2:
        columns, values = segment.brackets
        rows = [row.segments for row in values.parts] or [values.segments]
        sensitive = any(each.sensitive for each in columns.segments)
        if sensitive and {*map(len, rows)} == {len(columns.segments)}:
            segment.masked = False
            _place(rows, columns.segments)


def _place(rows: list[list[Segment]], columns: list[Segment]) -> None:
    """Decide which items of rows are values of sensitive columns, and which columns are sensitive by an item.

    Args:
        rows: The rows.
        columns: The columns at their places.
    """
    for place, column in enumerate(columns):
        items = _items(rows, place)
        if any(item.sensitive and not item.compares for item in items):
            column.placed = True
        if column.sensitive:
            for item in items:
                item.placed = item.masked = True
        elif next(columns_of(column), None) is not None:
            for item in items:
                item.placed = bool(item.placed)


def _items(rows: list[list[Segment]], place: int) -> list[Segment]:
    return [row[place] for row in rows if place < len(row)]


def _rows(group: Group) -> list[list[Segment]]:
    """Return the items of each SELECT, and of each row of VALUES."""
    rows: list[list[Segment]] = []
    for segment in group.segments:
        if segment.lead == "select":
            rows.append([segment])
        elif segment.clause == "select" and segment.lead == "":
            rows[-1].append(segment)
        elif segment.clause == "values":
            rows += [row.segments for row in _round(segment) if row.function in ("", "row")]
    return rows


def _round(segment: Segment) -> list[Group]:
    return [part for part in segment.brackets if part.opener == "("]


Place = tuple[int, int]
"""The number of columns of a list, and the index of one."""


def sensitive_places(lists: Iterable[list[Segment]]) -> set[Place]:
    """Return the places of the sensitive names of lists of columns."""
    return {(len(names), place) for names in lists for place, name in enumerate(names) if is_named(name)}


def _mask_at(rows: Iterable[list[Segment]], places: set[Place]) -> None:
    mask([each for row in rows for place, each in enumerate(row) if (len(row), place) in places])


def mask_tables(groups: list[Group]) -> None:
    """Mask what rows have at the place of a listed name: `[["id","token"],["1","x"]]`."""
    headers = (each.segments for each in groups if len(each.segments) > 1 and all(map(_is_quoted, each.segments)))
    tables = (each for each in groups if all(map(_is_row, each.segments)))
    _mask_at((row.segments for table in tables for row in table.parts), sensitive_places(headers))


def _is_row(segment: Segment) -> bool:
    return len(segment.parts) == 1 and segment.only is None


def _is_quoted(segment: Segment) -> bool:
    return segment.only is not None and segment.only.kind == "quoted"


def mask_unnamed(group: Group) -> None:
    """Mask what a query selects, or what is in a row of VALUES, if it has no name."""
    for segment in group.segments:
        if segment.clause == "values":
            items = [item for row in _round(segment) if row.function in ("", "row") for item in row.segments]
        else:
            items = [segment] if segment.clause == "select" else []
        mask([item for item in items if item.placed is None and _is_unnamed(item)])


def _is_unnamed(item: Segment) -> bool:
    """Return whether an item has no names but those of secrets."""
    return all(is_name(column.text) for column in columns_of(item))


def mask_sides(lists: list[Group], further: set[Place]) -> None:
    """Mask a plan's unnamed literals at the place of a sensitive column of another side of a UNION, or of a write.

    Args:
        lists: The lists of a plan.
        further: Number of columns and index of each sensitive column of writes.
    """
    items = [((len(each.segments), place), item) for each in lists for place, item in enumerate(each.segments)]
    places = further.union(place for place, each in items if each.sensitive)
    mask([each for place, each in items if place in places and _is_unnamed_in_plan(each)])


def mask_rows(lists: list[Group], places: set[Place]) -> None:
    """Mask what rows of literals have at the places of the sensitive columns of writes."""
    rows = (row for each in lists for row in each.parts)
    _mask_at((row.segments for row in rows if row.opener == "[" and not row.function), places)


def _is_unnamed_in_plan(segment: Segment) -> bool:
    """Return whether an item is a literal, or its own alias: `x AS y#5`, `concat(x, a#1) AS concat(x, a)#6`."""
    if "as" not in segment.words:
        return segment.words == ["unresolvedalias", ""]
    at = segment.words.index("as")
    before, after = segment.parts[:at], segment.parts[at + 1 :]
    return all(isinstance(part, Token) and part.kind != "id" for part in before) or [
        _shape(part) for part in before
    ] == [_shape(part) for part in after]


def _shape(part: Token | Group) -> str:
    if isinstance(part, Token):
        return part.text.partition("#")[0].strip("'")
    return part.opener + ",".join(" ".join(_shape(each) for each in segment.parts) for segment in part.segments)


def _is_query(group: Group) -> bool:
    return group.opener == "(" and any(each.lead in ("select", "values") for each in group.segments)


def _columns(group: Group) -> Iterator[list[Segment]]:
    """Yield the columns that a statement lists before its query, or after VALUES."""
    for segment in group.segments:
        lists = [each for each in _round(segment) if not _is_query(each)]
        if segment.clause == "values" and len(_round(segment)) > 1:
            yield _round(segment)[-1].segments
        elif lists and (segment.lead == "insert" or segment.words[:2] == ["replace", "into"]):
            yield lists[-1].segments
        elif _is_row(segment):
            yield _columns_of_view(segment)


def _columns_of_view(segment: Segment) -> list[Segment]:
    """Return the columns that a plan prints before a view's query: `[(id,None), (token,None)], SELECT …`."""
    return [column.segments[0] for each in segment.brackets if each.opener == "[" for column in each.parts]


def _named_queries(group: Group) -> Iterator[tuple[Group, Group]]:
    """Yield lists of columns with the query next to them, which they name or are compared with."""
    for segment in group.segments:
        for before, after in pairwise(segment.brackets):
            columns, query = (after, before) if _is_query(before) else (before, after)
            if _is_query(query) and all(column.first for column in columns.segments):
                yield columns, query


def renamed(group: Group) -> Iterator[str]:
    """Yield the names of sensitive values in a bracket of a statement, and what is compared with or renamed to them.

    `password AS p`, `x AS password`, `x = password`, `UNPIVOT (password FOR k IN (x))`, `json_tuple(token) AS (a, b)`.
    """
    entries = group.entries if group.function in STRUCTS else ()
    named = [key.only for key, value in entries if value.sensitive and key.only]
    sensitive = [segment for segment in group.segments if segment.parts and (segment.sensitive or segment.placed)]
    names = (last_name(token).strip("'\"") for token in chain(named, *map(_renamed_by, sensitive)))
    yield from filter(_is_new, names)


def renamed_part(segment: Segment) -> Token | Group | None:
    """Return what a segment of a plan renames: `a#1 AS b#2`, `cast(a#1 as string) AS b#2`."""
    first, *rest = segment.parts
    if len(rest) == 3 and isinstance(cast := rest[0], Group) and cast.function.endswith("cast"):
        return cast.segments[0].first
    return first if len(rest) == 2 else None


def _renamed_by(segment: Segment) -> Iterator[Token]:
    """Yield what has the value of a sensitive segment: its alias, the column that it is, what it is compared with."""
    pivots = "for" in segment.words[1:3]
    if pivots or "as" in segment.words[-2:-1]:
        listed = (part.segments for part in segment.parts[-1:] if isinstance(part, Group))
        yield from chain.from_iterable(map(tokens_of, chain.from_iterable(listed)))
    alias = alias_of(segment)
    if segment.compares:
        yield from sides(segment)
    elif alias is not None:
        yield alias
        yield from _only_column(segment, alias)
    elif segment.first and (pivots or len(segment.parts) == 1):
        yield segment.first


def _only_column(segment: Segment, alias: Token) -> list[Token]:
    columns = [token for token in columns_of(segment) if token is not alias]
    return columns if len(columns) == 1 else []


def _is_new(name: str) -> bool:
    return name.replace("-", "_").isidentifier() and not is_name(name)
