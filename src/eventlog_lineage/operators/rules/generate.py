"""`Generate`: `explode` and other generators, several rows per input row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred, of_type
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.references import MAP_KEY, MAP_VALUE
from eventlog_lineage.operators.derivations.result_types import entry_types
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation, truncated_arguments
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.alias_readings import stacked_cells
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.expression import Call, Expression, plain_text
from eventlog_lineage.plan.grammar.parser import parse_expression
from eventlog_lineage.plan.grammar.symbols import hidden_items, read_arguments
from eventlog_lineage.plan.grammar.types import element_type, struct_fields, truncated_fields

T = Transformation
_FILTERS = frozenset(("filter", "map_filter"))
_RETURNING_ELEMENTS = frozenset(
    """
    explode posexplode inline filter map_filter transform array_sort sort_array shuffle reverse array_distinct
    array_compact map_entries map_keys map_values
    """.split()
)
"""Generators, and functions whose result contains elements of their array."""

_MAP_COLUMNS = {"explode": 2, "posexplode": 3}
"""How many columns a generator returns for a map; for an array it returns one column less."""


@operator("Generate")
def generate(op: Operation) -> Flow:
    """Output the required input columns, and the columns that the generator computes from its argument.

    `Arguments: explode(items#1), [id#2L], false, [item#3]`; an empty list of required columns is not printed.
    """
    below = op.input
    generator, columns = op.node.value("generator"), op.node.listed("columns")
    if not generator or not op.node.value("columns"):
        op.gap(GapReason.UNPARSED_PLAN, op.node.text("Arguments"))
        return below
    below = _without_sizes(op, generator)
    kept = _kept(op, below)
    attributes = [attribute_of(item) for item in columns if item]
    if columns.missing and len(op.consumed) == len(kept) + columns.size:
        attributes = op.consumed[len(kept) :]
    values = _values(op, generator, attributes, below)
    if len(values) != len(attributes):
        op.gap(GapReason.UNPARSED_PLAN, op.node.text("Arguments"))
    kinds = _types(op, parse_expression(generator, op.plan.names), below)
    outputs = [
        Output(name, expr_id, of_type(derivation, kinds[place] if len(kinds) == len(attributes) else ""))
        for place, ((name, expr_id), derivation) in enumerate(zip(attributes, values, strict=False))
    ]
    return below.with_outputs((*kept, *outputs))


def _without_sizes(op: Operation, generator: str) -> Flow:
    """Return the input without conditions that the generator's array has entries: it returns no row without them."""
    call = parse_expression(generator, op.plan.names)
    if op.node.value("is_outer") == "true" or not isinstance(call, Call) or len(call.arguments) != 1:
        return op.input
    array = _value(op, call.arguments[0], op.input)
    return op.input.without(lambda part: part.is_size_of(array))


def _types(op: Operation, generator: Expression, below: Flow) -> list[str]:
    """Return the types of the columns that a generator makes of its argument's entries; empty for other generators."""
    if not isinstance(generator, Call) or not generator.arguments:
        return []
    if generator.function == "unnest":
        kinds = [kind for each in _explosions(generator) for kind in _types(op, each, below) or ("",)]
        return [*kinds, *["bigint"] * (len(generator.arguments) - len(kinds))]
    entries = list(entry_types(op.type_in(generator.arguments[0], below.scope)))
    if generator.function == "inline":
        return [kind for _, kind in struct_fields(entries[0])] if len(entries) == 1 else []
    return {"explode": entries, "posexplode": ["int", *entries]}.get(generator.function, [])


def _kept(op: Operation, below: Flow) -> list[Output]:
    """Return the required columns, printed between generator and flag; a truncated list is taken from the consumer.

    A logical tree (no `Input`) prints no such list, but the numbers of the columns that are not required.
    """
    if "Input" not in op.node.fields:
        return list(below.outputs)
    required = op.node.listed("required")
    if not required.missing:
        return [op.named(item, below.scope) for item in required]
    known = op.consumed or [(output.name, output.expr_id) for output in below.outputs]
    return [Output(name, expr_id, below.scope[expr_id]) for name, expr_id in known if expr_id in below.scope]


def _value(op: Operation, expression: Expression, below: Flow) -> Derivation:
    return op.bind_analysis(analyze(expression, masks=op.plan.masks), below.scope)


def _values(op: Operation, generator: str, attributes: list[tuple[str, int]], below: Flow) -> list[Derivation]:
    """Return the derivation of each generated column; the position of a `posexplode` depends on the array."""
    function, _, rest = generator.partition("(")
    if function == "stack":
        return _stack(op, generator, len(attributes), below)
    if function == "replicaterows":  # of INTERSECT ALL and EXCEPT ALL: how often, then the columns
        columns = read_arguments(rest.removesuffix(")"))[1 : len(attributes) + 1]
        return [op.bind(each, below.scope) for each in columns]
    generator = op.completed_calls(generator, below.scope)
    generated, filters = without_filters(parse_expression(generator, op.plan.names))
    op.conditions += [Condition(_value(op, each, below), T.FILTER) for each in filters]
    value = _value(op, generated, below)
    if not isinstance(generated, Call) or not generated.arguments:
        return [value] * len(attributes)
    container = _value(op, generated.arguments[0], below)
    if function == "unnest":
        elements = [_value(op, each, below) for each in _explosions(generated)]
        return [*elements, value][: len(attributes)]
    if function != "inline":
        entries = _entries(function, container) if _MAP_COLUMNS.get(function) == len(attributes) else []
        return [*[value] * (len(attributes) - len(entries)), *entries]
    return _inlined(op, generated, [name for name, _ in attributes], (container, value))


def _explosions(unnest: Call) -> list[Call]:
    """Return the generators of the columns of `unnest(a#1, b#2, WITH ORDINALITY)` (4.3); the last has their place."""
    arrays = (each for each in unnest.arguments if plain_text(each) != "WITH ORDINALITY")
    return [Call("explode", (array,)) for array in arrays]


def _inlined(
    op: Operation, generated: Call, columns: list[str], arrays: tuple[Derivation, Derivation]
) -> list[Derivation]:
    """Return the columns of `inline`: the fields of the structs in an array."""
    container, value = arrays
    names = list(container.fields or ()) or [name for name, _ in struct_fields(element_type(container.data_type))]
    if _builds_structs(generated) and len(names) != len(columns):
        op.gap(
            GapReason.UNPARSED_EXPRESSION,
            f"the structs in {op.node.value('generator')} do not have the {len(columns)} columns that it generates",
            "Spark prints literals without quotes: check this expression against the query",
        )
        return [as_inferred(value) for _ in columns]
    if len(names) != len(columns):
        return _fields_by_name(container, columns, value)
    return [_element_field(container, name, value) for name in names]


def _builds_structs(generated: Call) -> bool:
    """Return whether a generator's array has structs that the statement builds: `inline(array(named_struct(p, 1)))`."""
    array = generated.arguments[0]
    first = array.arguments[0] if isinstance(array, Call) and array.function == "array" and array.arguments else None
    return isinstance(first, Call) and first.function == "named_struct"


def _fields_by_name(container: Derivation, names: Sequence[str], value: Derivation) -> list[Derivation]:
    """Return the columns of `inline` for a type that is unknown, or truncated: `array<struct<sku:string,...`.

    The names of the columns are those of the fields unless the query renames them, which the known fields show: then
    an unknown field depends on the whole array.
    """
    known = truncated_fields(container.data_type)[: len(names)]
    own = [_element_field(container, name, value) for name in known]
    if list(known) != list(names[: len(known)]):
        return [*own, *[value] * (len(names) - len(known))]
    others = [_element_field(container, name, value) for name in names[len(known) :]]
    return [*own, *(map(as_inferred, others) if known else others)]


def without_filters(generator: Expression) -> tuple[Expression, list[Expression]]:
    """Return a generator over all elements of its array, and the conditions of its filters, which filter rows.

    `explode(filter(nums#1, lambdafunction((lambda e#9 > id#2), lambda e#9, false)))`; the filter can be
    below functions that return the array's elements (`transform`, `array_distinct` …).
    """
    calls: list[Call] = []
    filters: list[Expression] = []
    part = generator
    while isinstance(part, Call) and part.arguments and part.function in _RETURNING_ELEMENTS:
        if part.function in _FILTERS:
            filters.append(part)
        else:
            calls.append(part)
        part = part.arguments[0]
    if not filters:
        return generator, []
    for call in reversed(calls):
        part = replace(call, arguments=(part, *call.arguments[1:]))
    return part, filters


def _stack(op: Operation, generator: str, width: int, below: Flow) -> list[Derivation]:
    """Return the columns of a stack: `stack(2, a, b, c, d)` has two columns, the first with the values a and c."""
    if missing := hidden_items(generator):  # its literals can have brackets
        op.gap(*truncated_arguments("stack", missing))
    cells = stacked_cells(generator.removeprefix("stack(").removesuffix(")"), width, op.plan.names)
    return [op.bind(f"stack({', '.join(cells[index::width])})", below.scope) for index in range(width)]


def _entries(function: str, container: Derivation) -> list[Derivation]:
    """Return the keys and the values of a map that the statement builds; an empty list for other maps."""
    fields = container.fields or {}
    known = [fields[name] for name in (MAP_KEY, MAP_VALUE) if name in fields]
    return [Derivation(each.through(T.TRANSFORMATION), (f"{function}(", each, ")")) for each in known]


def _element_field(container: Derivation, name: str, value: Derivation) -> Derivation:
    """Return a field of an array's structs, if the array is a column or the statement builds the structs."""
    if container.column is None and not container.fields:
        return value
    field = container.field(name)
    return Derivation(field.through(T.TRANSFORMATION), ("inline(", container, f").{name}"), field.fields, field.column)
