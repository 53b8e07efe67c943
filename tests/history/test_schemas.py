"""Observations to versions and changes, on made-up statements."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.history.columns import TimedObservation
from eventlog_lineage.history.evolution import evolve
from eventlog_lineage.history.hashed_changes import deleted, rename_code, text_hash
from eventlog_lineage.observed_schemas import Evidence, SchemaColumn, StoredObservation, from_stored
from support.table_changes import added

E = Evidence
START = datetime(2026, 11, 1)


class X:
    """Extents, as stores spell them."""

    ALL, SOME, NONE, ADDED, CODES = "all", "some", "none", "added", "codes"
    RENAMED, DROPPED = "renamed", "dropped"


def seen(day: int, evidence: Evidence, extent: str, *columns: str, **facts: Any) -> TimedObservation:
    """An observation; columns are `name`, `name:type` or `name:type@derivation`."""
    shown = []
    for column in columns:
        named, _, derivation = column.partition("@")
        name, _, kind = named.partition(":")
        shown.append(SchemaColumn(name, kind, derivation))
    dataset, job, app = facts.pop("dataset", "t"), facts.pop("job", "job"), facts.pop("app", f"app-{day}")
    at = START + timedelta(days=day, minutes=facts.pop("minute", 0))
    stored = StoredObservation(dataset, str(evidence), extent, tuple(shown), **{"ordered": extent == X.ALL, **facts})
    return TimedObservation(at, (app, "", int(at.minute)), job, from_stored(stored))


def changes(*observations: TimedObservation) -> list[str]:
    """What changed: day, change, column, old and new value."""
    return [
        " ".join(
            str(word)
            for word in ((each.changed_at - START).days, each.change, each.column_name, each.old_value, each.new_value)
            if word is not None
        )
        for each in sorted(evolve(observations).changes, key=lambda each: each.changed_at)
    ]


def columns_now(*observations: TimedObservation) -> list[str]:
    return [f"{each.column_name}:{each.data_type}" for each in evolve(observations).versions if each.valid_to is None]


CREATED = seen(0, E.CREATE, X.ALL, "a:int", "b:string", "c:double")


def test_a_table_that_is_created_is_one_change() -> None:
    assert changes(CREATED) == ["0 table_created"]
    assert columns_now(CREATED) == ["a:int", "b:string", "c:double"]


def test_what_is_first_seen_by_a_write_or_a_read_was_there_before() -> None:
    assert changes(seen(0, E.OVERWRITE, X.ALL, "a"), seen(1, E.READ, X.SOME, "a:int")) == []


def test_a_pruned_read_never_drops_a_column() -> None:
    assert changes(CREATED, seen(1, E.READ, X.SOME, "b:string")) == ["0 table_created"]


def test_an_append_that_lacks_columns_drops_none() -> None:
    assert changes(CREATED, seen(1, E.APPEND, X.SOME, "a:int")) == ["0 table_created"]


def test_columns_that_a_read_shows_are_news_only_where_all_columns_were_known() -> None:
    known = seen(0, E.OVERWRITE, X.ALL, "a")
    assert changes(known, seen(1, E.READ, X.SOME, "b:int")) == ["1 column_added b int"]
    assert changes(seen(0, E.READ, X.SOME, "a"), seen(1, E.READ, X.SOME, "b:int")) == []


def test_a_view_over_an_old_snapshot_lists_its_columns_and_changes_nothing() -> None:
    replaced = seen(1, E.REPLACE, X.ALL, "a:int", "d:string")
    view, other = seen(2, E.RELATION, X.ALL, "a", "b", "c"), seen(3, E.RELATION, X.ALL, "a", "b")
    before = changes(CREATED, replaced)
    assert changes(CREATED, replaced, view) == before
    assert changes(CREATED, replaced, view, other)[len(before) :] == ["3 column_dropped d string", "3 column_added b"]


def test_a_read_of_an_old_snapshot_after_an_overwrite_changes_nothing() -> None:
    replaced = seen(1, E.OVERWRITE, X.ALL, "a:bigint", "d:string")
    old = seen(2, E.READ, X.SOME, "a:int", "c:double")
    assert changes(CREATED, replaced, old) == changes(CREATED, replaced)
    assert "2 column_added e double" in changes(CREATED, replaced, seen(2, E.READ, X.SOME, "a:bigint", "e:double"))


def test_an_overwrite_shows_what_came_and_went() -> None:
    told = changes(CREATED, seen(1, E.OVERWRITE, X.ALL, "a:int", "c:double", "d:date"))
    assert told == ["0 table_created", "1 column_dropped b string", "1 column_added d date"]


def test_a_column_that_went_and_one_that_came_with_the_same_derivation_are_one_column() -> None:
    before, after = seen(0, E.OVERWRITE, X.ALL, "a@x", "b@y"), seen(1, E.OVERWRITE, X.ALL, "a@x", "beta@y")
    assert changes(before, after) == ["1 column_renamed beta b beta"]
    (told,) = evolve([before, after]).changes
    assert told.confidence == "inferred"


def test_two_that_could_be_the_old_one_are_no_rename() -> None:
    before, after = seen(0, E.OVERWRITE, X.ALL, "a@x"), seen(1, E.OVERWRITE, X.ALL, "b@x", "c@x")
    assert changes(before, after) == ["1 column_dropped a", "1 column_added b", "1 column_added c"]


def test_a_type_that_changes_is_told_as_widening_or_narrowing() -> None:
    told = evolve([CREATED, seen(1, E.READ, X.SOME, "a:bigint"), seen(2, E.READ, X.SOME, "a:int")]).changes
    assert [(each.old_value, each.new_value, each.nature) for each in told[1:]] == [
        ("int", "bigint", "widening"),
        ("bigint", "int", "narrowing"),
    ]


def test_a_type_that_a_read_shows_was_changed_by_the_overwrite_before_it() -> None:
    first, read = seen(0, E.OVERWRITE, X.ALL, "a:bigint"), seen(3, E.READ, X.SOME, "a:int")
    assert changes(first, seen(2, E.OVERWRITE, X.ALL, "a"), read) == ["2 type_changed a bigint int"]


def test_readers_of_files_without_types_do_not_change_them() -> None:
    words = ("types of the reader",)
    told = [seen(day, E.READ, X.SOME, f"a:{kind}", words=words) for day, kind in enumerate(("int", "string"))]
    assert changes(*told) == []


def test_a_char_column_is_read_as_a_string() -> None:
    assert changes(seen(0, E.CREATE, X.ALL, "a:char(3)"), seen(1, E.READ, X.SOME, "a:string")) == ["0 table_created"]


def test_a_column_that_stands_elsewhere_has_moved() -> None:
    told = changes(CREATED, seen(1, E.OVERWRITE, X.ALL, "c", "a", "b"))
    assert told == ["0 table_created", "1 column_moved c 3 1"]


def test_a_column_that_an_append_showed_first_has_not_moved() -> None:
    appended = seen(1, E.APPEND, X.SOME, "a:int", "b:string", "c:double", "d:int", "e:int")
    told = changes(CREATED, appended, seen(2, E.RELATION, X.ALL, "a", "b", "c", "e", "d"))
    assert told == ["0 table_created", "1 column_added d int", "1 column_added e int"]
    later = seen(3, E.OVERWRITE, X.ALL, "e", "a", "b", "c", "d")
    assert changes(CREATED, appended, seen(2, E.RELATION, X.ALL, "a", "b", "c", "e", "d"), later)[-1] == (
        "3 column_moved e 4 1"
    )


def test_nested_fields_are_columns_too() -> None:
    table = seen(0, E.CREATE, X.ALL, "addr:struct<city:string,zip:string>")
    added = seen(1, E.READ, X.SOME, "addr:struct<city:string,land:string>")
    assert changes(table, added) == ["0 table_created", "1 column_added addr.land string"]
    assert columns_now(table, added)[0] == "addr:struct<city:string,zip:string,land:string>"


def test_a_table_dropped_and_made_again_by_one_application_is_replaced() -> None:
    drop = seen(1, E.DROP, X.DROPPED, app="x")
    again = seen(1, E.CREATE, X.ALL, "a:int", "b:string", "c:double", app="x", minute=1)
    other = seen(1, E.CREATE, X.ALL, "a:int", app="x", minute=1)
    assert changes(CREATED, drop) == ["0 table_created", "1 table_dropped"]
    assert changes(CREATED, drop, again) == ["0 table_created"]
    assert changes(CREATED, drop, other)[1:] == [
        "1 column_dropped b string",
        "1 column_dropped c double",
        "1 table_replaced",
    ]


def test_a_table_made_again_by_another_application_was_gone_meanwhile() -> None:
    again = seen(3, E.CREATE, X.ALL, "a:int")
    assert changes(CREATED, seen(1, E.DROP, X.DROPPED), again) == [
        "0 table_created",
        "1 table_dropped",
        "3 table_created",
    ]


def test_a_table_that_lives_within_one_application_each_night_is_told_once() -> None:
    nights = [
        each
        for day in range(5)
        for each in (
            seen(day, E.CREATE, X.ALL, "a:int", minute=0),
            seen(day, E.DROP, X.DROPPED, minute=9),
        )
    ]
    assert changes(*nights) == ["0 table_created", "0 table_dropped"]


def test_create_if_not_exists_of_a_table_that_is_there_changes_nothing() -> None:
    again = seen(1, E.CREATE, X.ALL, "other", words=("if not exists",))
    assert changes(CREATED, again) == ["0 table_created"]


def test_a_renamed_table_goes_on_under_its_new_name() -> None:
    renamed = seen(1, E.RENAME, X.RENAMED, words=("u",))
    added = seen(2, E.ALTER, X.ADDED, "d:int", dataset="u")
    assert changes(CREATED, renamed, added) == ["0 table_created", "1 table_renamed t u", "2 column_added d int"]
    assert columns_now(CREATED, renamed, added) == ["a:int", "b:string", "c:double", "d:int"]


def test_a_table_that_takes_the_place_of_a_dropped_one_replaces_it() -> None:
    night = [
        seen(1, E.CREATE, X.ALL, "a:int", "b:string", "c:double", dataset="t_new", app="x"),
        seen(1, E.DROP, X.DROPPED, app="x", minute=1),
        seen(1, E.RENAME, X.RENAMED, dataset="t_new", words=("t",), app="x", minute=2),
    ]
    assert changes(CREATED, *night) == ["0 table_created", "1 table_created"]
    assert columns_now(CREATED, *night) == ["a:int", "b:string", "c:double"]


def test_two_jobs_that_overwrite_one_table_with_columns_of_their_own_are_told_once() -> None:
    nights = [
        each
        for day in range(4)
        for each in (
            seen(day, E.OVERWRITE, X.ALL, "a", "b", job="one", minute=1),
            seen(day, E.OVERWRITE, X.ALL, "a", "c", job="two", minute=2),
        )
    ]
    assert changes(*nights) == ["0 schema_conflict one: a, b two: a, c"]
    assert columns_now(*nights) == ["a:", "b:", "c:"]


def test_a_job_that_takes_over_from_another_one_is_no_conflict() -> None:
    first = [seen(day, E.OVERWRITE, X.ALL, "a", "b", job="one") for day in range(3)]
    then = [seen(day, E.OVERWRITE, X.ALL, "a", job="two") for day in range(3, 6)]
    assert changes(*first, *then) == ["3 column_dropped b"]


def test_a_writer_among_several_drops_no_column_that_a_complete_list_dropped_before() -> None:
    first = seen(0, E.OVERWRITE, X.ALL, "a", job="one")
    wider = seen(1, E.OVERWRITE, X.ALL, "a", "b", job="two")
    read = seen(2, E.RELATION, X.ALL, "a", "c")
    again = seen(3, E.OVERWRITE, X.ALL, "a", job="one")
    narrower = seen(4, E.OVERWRITE, X.ALL, "a", job="two")
    assert changes(first, wider, read, again, narrower) == [
        "1 column_added b",
        "2 column_dropped b",
        "2 column_added c",
        "3 schema_conflict one: a two: a, b",
    ]


def test_a_code_that_only_a_later_statement_explains_is_told_at_its_time() -> None:
    altered = seen(1, E.ALTER, X.CODES, words=("AddColumn@1234567",))
    late = seen(4, E.OVERWRITE, X.ALL, "a:int", "b:string", "c:double", "z:date")
    assert changes(CREATED, altered, late) == ["0 table_created", "1 column_added z date"]


def test_a_code_that_nothing_explains_is_unknown() -> None:
    altered = seen(1, E.ALTER, X.CODES, words=("AddColumn@1234567",))
    late = seen(4, E.OVERWRITE, X.ALL, "a:int", "b:string", "c:double", "z:date")
    assert [(name, kind) for name, kind, _ in evolve([CREATED, altered]).unknown] == [("t", "AddColumn")]
    assert evolve([CREATED, altered, late]).unknown == ()


def test_what_is_unknown_of_a_table_stays_unknown_when_it_is_dropped_and_created_again() -> None:
    altered = seen(1, E.ALTER, X.CODES, words=("DeleteColumn@1234567",))
    dropped, again = seen(3, E.DROP, X.DROPPED), seen(4, E.CREATE, X.ALL, "a:int")
    assert [kind for _, kind, _ in evolve([CREATED, altered, dropped, again]).unknown] == ["DeleteColumn"]


def codes(*changes: int | str) -> tuple[str, ...]:
    """V2 changes as Spark prints them: a column's name drops it, a code adds one."""
    return tuple(
        f"DeleteColumn@{deleted([each]):x}" if isinstance(each, str) else f"AddColumn@{each:x}" for each in changes
    )


def test_columns_that_one_statement_drops_and_adds_again_are_the_same_ones() -> None:
    integer, text = text_hash("IntegerType"), text_hash("StringType")
    same = codes("a", "b", "c", added(["a"], integer, None), added(["b"], text, None))
    assert changes(CREATED, seen(1, E.ALTER, X.CODES, words=same))[1:] == ["1 column_dropped c double"]
    wider = codes("a", added(["a"], text_hash("LongType"), None))
    assert changes(CREATED, seen(1, E.ALTER, X.CODES, words=wider))[1:] == ["1 type_changed a int bigint"]
    nothing = codes("a", added(["a"], integer, None))
    assert changes(CREATED, seen(1, E.ALTER, X.CODES, words=nothing))[1:] == []


def alter(day: int, kind: str, code: int) -> TimedObservation:
    return seen(day, E.ALTER, X.CODES, words=(f"{kind}@{code:x}",))


def test_a_column_that_is_added_by_a_name_that_nothing_prints_and_renamed_is_a_rename() -> None:
    story = (
        CREATED,
        alter(1, "AddColumn", added(["moist"], text_hash("DateType"), None)),
        alter(2, "RenameColumn", rename_code("moist", text_hash("damp"))),
        seen(4, E.APPEND, X.SOME, "a:int", "damp:date"),
    )
    assert changes(*story) == ["0 table_created", "2 column_renamed damp damp"]
    assert [kind for _, kind, _ in evolve(story).unknown] == ["AddColumn"]
    assert columns_now(*story) == ["a:int", "b:string", "c:double", "damp:date"]


def test_a_column_that_is_renamed_twice_is_one_column_though_nothing_prints_the_name_in_between() -> None:
    story = (
        CREATED,
        alter(1, "RenameColumn", rename_code("b", text_hash("between"))),
        alter(2, "RenameColumn", rename_code("between", text_hash("last"))),
    )
    for later in (
        seen(4, E.OVERWRITE, X.ALL, "a:int", "last:string", "c:double"),
        seen(4, E.APPEND, X.SOME, "a:int", "last:string"),
    ):
        assert changes(*story, later) == ["0 table_created", "2 column_renamed last b last"]
        assert columns_now(*story, later) == ["a:int", "last:string", "c:double"]


def test_a_new_column_is_no_change_where_an_unresolved_rename_may_have_made_it() -> None:
    late = seen(4, E.APPEND, X.SOME, "z:date")
    story = (CREATED, alter(1, "AddColumn", 0x1234567), alter(2, "RenameColumn", 0x7654321), late)
    assert changes(*story) == ["0 table_created"]
    assert [kind for _, kind, _ in evolve(story).unknown] == ["AddColumn", "RenameColumn"]


EVENTS = st.sampled_from(
    [
        (E.CREATE, X.ALL, ("a:int", "b:string")),
        (E.REPLACE, X.ALL, ("a:int",)),
        (E.OVERWRITE, X.ALL, ("a@1", "b@2")),
        (E.OVERWRITE, X.ALL, ("b@2", "c@1")),
        (E.APPEND, X.SOME, ("a:int", "d:date")),
        (E.READ, X.SOME, ("a:bigint",)),
        (E.READ, X.SOME, ("s:struct<x:int>", "b:string")),
        (E.ALTER, X.ADDED, ("e:double",)),
        (E.ALTER, X.CODES, ()),
        (E.DROP, X.DROPPED, ()),
        (E.RENAME, X.RENAMED, ()),
    ]
)


@st.composite
def stories(draw: st.DrawFn) -> list[TimedObservation]:
    made = []
    for minute, (evidence, extent, columns) in enumerate(draw(st.lists(EVENTS, max_size=12))):
        dataset = draw(st.sampled_from(["t", "u"]))
        words = {X.CODES: ("DeleteColumn@61",), X.RENAMED: ({"t": "u", "u": "t"}[dataset],)}.get(extent, ())
        facts = {"dataset": dataset, "job": draw(st.sampled_from(["one", "two"])), "app": f"app-{minute // 3}"}
        made.append(seen(0, evidence, extent, *columns, words=words, minute=minute, **facts))
    return made


@given(story=stories(), data=st.data())
def test_the_order_of_arrival_does_not_matter(story: list[TimedObservation], data: st.DataObject) -> None:
    assert evolve(data.draw(st.permutations(story))) == evolve(story)


@given(story=stories())
def test_versions_follow_one_another_without_overlap(story: list[TimedObservation]) -> None:
    history = evolve(story)
    spans = sorted({(each.dataset, each.version, each.valid_from, each.valid_to) for each in history.versions})
    for (dataset, _, _, until), (following, _, begin, _) in pairwise(spans):
        assert dataset != following or (until is not None and until <= begin)
    for change in history.changes:
        assert change.version >= 1


@given(story=stories())
def test_what_is_not_effective_can_be_forgotten(story: list[TimedObservation]) -> None:
    whole = evolve(story)
    again = evolve(whole.effective)
    assert (again.versions, again.changes) == (whole.versions, whole.changes)


def test_who_wrote_which_columns_is_not_forgotten() -> None:
    both = ("a:int", "b:string")
    story = [
        seen(0, E.CREATE, X.ALL, *both, minute=0, dataset="t", job="two", app="app-0"),
        seen(0, E.CREATE, X.ALL, *both, minute=1, dataset="t", job="one", app="app-0"),
        seen(0, E.REPLACE, X.ALL, "a:int", minute=3, dataset="t", job="two", app="app-1"),
        seen(0, E.CREATE, X.ALL, *both, minute=4, dataset="t", job="one", app="app-1"),
    ]
    whole = evolve(story)
    again = evolve(whole.effective)
    assert (again.versions, again.changes) == (whole.versions, whole.changes)


def test_a_reader_that_names_the_columns_changes_nothing_of_what_a_write_lists() -> None:
    lines = seen(1, E.READ, X.SOME, "value:string", "_c0:string", words=("types of the reader",))
    overwritten = seen(0, E.OVERWRITE, X.ALL, "a:int", "b:string")
    assert changes(overwritten, lines) == []
    assert columns_now(overwritten, lines) == ["a:int", "b:string", "value:string", "_c0:string"]
    again = seen(2, E.OVERWRITE, X.ALL, "a:int", "b:string")
    assert changes(overwritten, lines, again) == []
    assert columns_now(overwritten, lines, again) == ["a:int", "b:string"]
