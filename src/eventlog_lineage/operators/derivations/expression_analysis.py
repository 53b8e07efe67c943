"""Analyze an expression before binding: a walk without recursion finds its references, their kinds, and its text.

The result depends only on the text, so a plan analyses each distinct text once. Roles are those of docs/semantics.md.

Source: `VariantGet`, `VariantPathParser` of Spark 4.0 to 4.3. `v:a.b::int` and `try_variant_get` are the same
expression. A scan that reads numbered paths itself (`PushVariantIntoScan`) leaves no call, and no path, in the plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, NamedTuple

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations import functions
from eventlog_lineage.operators.derivations.derivation import Constant
from eventlog_lineage.operators.derivations.functions import (
    CONTAINERS,
    ELEMENTWISE,
    Role,
    argument_role,
    effect_of,
    inner_role,
    is_counted_again,
    is_mask,
)
from eventlog_lineage.operators.derivations.kept_structs import (
    combined_arrays,
    field_of_cast,
    field_of_parts,
    keeps_type,
    kept_field,
    kept_parts,
    kept_value,
)
from eventlog_lineage.operators.derivations.references import (
    Analysis,
    FieldReference,
    Piece,
    alternatives,
    as_reference,
    cast,
    cast_type,
    elements,
    guarded_call,
    is_of_time_window,
    is_transparent,
    map_entries,
    rebuilt_array,
    rebuilt_struct,
    struct_parts,
    taken_from,
    unwrapped,
    used_variables,
    wrapped,
)
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.grammar.expression import (
    Call,
    CaseWhen,
    Expression,
    FilteredAggregate,
    GetField,
    GetItem,
    LambdaFunction,
    LambdaVariable,
    Literal,
    Phrase,
    WindowExpression,
    field_path,
    plain_text,
)

_OPERATOR = re.compile(
    r"^(\s*(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|NOT|IN|INSET|LIKE|RLIKE|ILIKE|as|div|distinct)\s+)?"
    r"(.*?)"
    r"(\s+(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|NOT|IN|INSET|LIKE|RLIKE|ILIKE|as|div)\s*)?$",
    re.DOTALL,
)
_NO_LITERAL = ("(", ")", " NULLS FIRST", " NULLS LAST")


def operator_and_constant(text: str) -> Iterator[str]:
    """Yield the operator and the literal of `" = F"`; brackets and cast types are not literals.

    Args:
        text: The text between two operands, or after the last one.

    >>> list(operator_and_constant(" = F"))
    [' = ', 'F']
    """
    match = None if text.endswith(_NO_LITERAL) else _OPERATOR.match(text)
    if match is None or not match[2]:
        yield text
        return
    before, middle, after = match[1] or "", match[2], match[3] or ""
    if before:
        yield before
    yield middle if before.strip() == "as" or middle.strip(" ()") == "" else Constant(middle)
    if after:
        yield after


_FRAMES = {"RowFrame": "ROWS", "RangeFrame": "RANGE"}
_BOUNDS = {
    "unboundedpreceding$()": "UNBOUNDED PRECEDING",
    "unboundedfollowing$()": "UNBOUNDED FOLLOWING",
    "currentrow$()": "CURRENT ROW",
}
_DEFAULTS = frozenset(
    {
        "RowFrame, unboundedpreceding$(), currentrow$()",
        "RangeFrame, unboundedpreceding$(), currentrow$()",
        "RowFrame, unboundedpreceding$(), unboundedfollowing$()",
        "RangeFrame, unboundedpreceding$(), unboundedfollowing$()",
    }
)
"""Default frames of specifications."""


def window_words(window: WindowExpression, role: Any) -> Iterator[Any]:
    """Yield the specification between `OVER (` and `)`, in pieces of text and (expression, role, is operand)."""
    if window.partition:
        yield "PARTITION BY "
        yield from _separated(window.partition, role)
    if window.order:
        yield " ORDER BY " if window.partition else "ORDER BY "
        yield from _separated(window.order, role)
    if window.frame and window.frame not in _DEFAULTS:
        yield f" {frame_words(window.frame)}"


def frame_words(frame: str) -> str:
    """Return a frame in SQL.

    >>> frame_words("RowFrame, -1, currentrow$()")
    'ROWS BETWEEN 1 PRECEDING AND CURRENT ROW'

    Source: `SpecifiedWindowFrame` and `SpecialFrameBoundary` (Spark 2.3 to 4.3).
    """
    kind, *bounds = frame.split(", ")
    return f"{_FRAMES.get(kind, kind)} BETWEEN {' AND '.join(map(_bound, bounds))}"


def _bound(bound: str) -> str:
    if bound in _BOUNDS:
        return _BOUNDS[bound]
    return f"{bound[1:]} PRECEDING" if bound.startswith("-") else f"{bound} FOLLOWING"


def _separated(expressions: tuple[Any, ...], role: Any) -> Iterator[Any]:
    for index, expression in enumerate(expressions):
        if index:
            yield ", "
        yield (expression, role, False)


_CALLS = frozenset(("variant_get", "try_variant_get"))
_AFTER_PATH = 3
"""The arguments after the path: the type, whether an invalid value is an error, the time zone."""
_STEP = re.compile(r"\.([^.\[]+)|\[\d+\]|\['([^'?]+)'\]|\[\"([^\"?]+)\"\]")


class VariantPath(NamedTuple):
    """A path of a VARIANT.

    Attributes:
        calls: The calls that read it, outermost first.
        names: The names of the path; an element of an array has none, as in arrays of structs.
    """

    value: Expression
    calls: Sequence[Call]
    names: Sequence[str]

    def field(self) -> Expression:
        """Return the nested field that the path is."""
        return reduce(GetField, self.names, self.value)


def variant_path(call: Call) -> VariantPath | None:
    """Return the path that a call reads; None for other calls and for paths that are not literals.

    Args:
        call: A call; the VARIANT can be the path of another one.
    """
    calls: list[Call] = []
    paths: list[list[str]] = []
    value: Expression = call
    while isinstance(value, Call) and value.function in _CALLS:
        names = _names(value)
        if names is None:
            return None
        calls.append(value)
        paths.append(names)
        value = value.arguments[0]
    return VariantPath(value, calls, [name for names in reversed(paths) for name in names]) if calls else None


def _names(call: Call) -> list[str] | None:
    """Return the names of a call's path; a path with commas is several arguments."""
    texts = [plain_text(each) for each in call.arguments[1:-_AFTER_PATH]]
    text = ", ".join(each or "" for each in texts)
    if None in texts or not text.startswith("$"):
        return None
    names: list[str] = []
    at = 1
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        names += [name for name in step.groups() if name]
        at = step.end()
    return names


T = Transformation
_MAP_PARTS = {"map_keys": 0, "map_values": 1}


_Task = str | tuple[Expression, Role, bool]
"""Text, or an expression to visit: its role, and whether it is an operand whose operator is in the text."""


class ExpressionWalk:
    """The walk over one expression: references and pieces in printed order."""

    def __init__(self, variables: Mapping[int, FieldReference] | None = None, masks: Collection[str] = ()) -> None:
        self._masks = masks
        self.references: list[FieldReference] = []
        self.pieces: list[Piece] = []
        self.variables: dict[int, FieldReference] = dict(variables or {})
        self._hidden: set[int] = set()
        self._stack: list[_Task] = []

    def run(self, expression: Expression, role: Role) -> None:
        """Walk an expression."""
        self._stack = [(expression, role, False)]
        while self._stack:
            task = self._stack.pop()
            if isinstance(task, str):
                self.pieces.append(task if task.isascii() else type(task)(unescaped(task)))
            else:
                self._stack.extend(reversed(list(self._visit(*task))))

    def _visit(self, expression: Expression, role: Role, is_operand: bool) -> Iterator[_Task]:
        reference = as_reference(expression)
        if reference is not None:
            self._add(reference, role)
            return iter(())
        visit: Callable[[ExpressionWalk, Any, Role, bool], Iterator[_Task]] = _VISITS[type(expression)]
        return visit(self, expression, role, is_operand)

    def _add(self, reference: FieldReference, role: Role) -> None:
        found = reference._replace(kind=role.kind, masking=role.masking)
        self.references.append(found)
        self.pieces.append(found)

    def _references_only(self, expression: Expression, role: Role) -> None:
        inner = ExpressionWalk(masks=self._masks)
        inner.variables, inner._hidden = self.variables, self._hidden
        inner.run(expression, role)
        self.references.extend(inner.references)

    def _literal(self, expression: Literal, role: Role, is_operand: bool) -> Iterator[_Task]:
        if is_operand:
            yield from operator_and_constant(expression.text)
        else:
            yield Constant(expression.text)

    def _phrase(self, expression: Phrase, role: Role, is_operand: bool) -> Iterator[_Task]:
        inner = role.then(T.TRANSFORMATION)
        for part in expression.parts:
            yield (part, inner, True)

    def _field(self, expression: GetField, role: Role, is_operand: bool) -> Iterator[_Task]:
        container = elements(expression)
        variable = self._variable_path(expression)
        if variable is not None:
            if not used_variables(expression) & self._hidden:
                self._add(variable, role.then(T.TRANSFORMATION))
        elif container is not None:
            inner = role.then(T.TRANSFORMATION)
            self._add(container, inner)  # `arr#1[i#2].p` depends on `arr.p`, and on the index
            yield from self._indices(expression, inner)
        elif (of_cast := field_of_cast(expression)) is not None:
            self._add(of_cast, role.then(T.TRANSFORMATION))
            yield from self._indices(expression, role.then(T.TRANSFORMATION))
        elif expression.name in (parts := struct_parts(expression.child) or kept_parts(expression.child) or {}):
            yield (parts[expression.name], role.then(T.TRANSFORMATION), False)
        elif (kept := kept_field(expression)) is not None:
            yield (kept, role, False)
        elif (of_parts := field_of_parts(expression)) is not None:
            yield (of_parts, role.then(T.TRANSFORMATION), False)
        else:
            yield (expression.child, role.then(T.TRANSFORMATION), False)
            yield f".{expression.name}"

    def _indices(self, expression: Expression, role: Role) -> Iterator[_Task]:
        """Yield the expressions that choose elements: indices, and arguments such as the lambda of a filter."""
        while (child := taken_from(expression)) is not None:
            if isinstance(expression, GetItem):
                yield "["
                yield (expression.index, role, False)
                yield "]"
            elif isinstance(expression, Call):
                self._bind_variables(expression)
                yield f" {expression.function}("
                for index, argument in enumerate(expression.arguments[1:]):
                    yield ", " if index else ""
                    yield (argument, role, False)
                yield ")"
            expression = child

    def _variable_path(self, expression: Expression) -> FieldReference | None:
        variable, path = field_path(expression)
        container = self.variables.get(variable.expr_id) if isinstance(variable, LambdaVariable) else None
        return container._replace(path=(*container.path, *path)) if container else None

    def _item(self, expression: GetItem, role: Role, is_operand: bool) -> Iterator[_Task]:
        inner = role.then(T.TRANSFORMATION)
        yield (expression.child, inner, False)
        yield "["
        yield (expression.index, inner, False)
        yield "]"

    def _variable(self, expression: LambdaVariable, role: Role, is_operand: bool) -> Iterator[_Task]:
        container = self.variables.get(expression.expr_id)
        if container is None or expression.expr_id in self._hidden:
            yield expression.name
        else:
            self._add(container, role.then(T.TRANSFORMATION))

    def _lambda(self, expression: LambdaFunction, role: Role, is_operand: bool) -> Iterator[_Task]:
        yield "-> "
        yield (expression.body, role, False)

    def _kept_argument(self, call: Call) -> Expression | None:
        """Return the argument that a call returns unchanged; None for other calls."""
        if call.arguments and effect_of(call, self._masks) == "identity":
            return call.arguments[0]
        return wrapped(call) if call.arguments and is_transparent(call) else None

    def _call(self, call: Call, role: Role, is_operand: bool) -> Iterator[_Task]:
        name = functions.base_name(call.function)
        if name in _MAP_PARTS and call.arguments and (entries := map_entries(unwrapped(call.arguments[0]))):
            yield f"{name}("
            yield (entries[_MAP_PARTS[name]], role.then(T.TRANSFORMATION), False)
            yield ")"
            return
        if (kept := self._kept_argument(call)) is not None:
            yield (kept, role, is_operand)
            return
        if (path := variant_path(call)) is not None:
            self._variant(path, role.then(T.TRANSFORMATION))
            return
        yield f"{name if name in functions.AGGREGATES else call.function}("
        for index, tasks in enumerate(self._arguments(call, name, role)):
            if index:
                yield ", "
            yield from tasks
        yield ")"

    def _variant(self, path: VariantPath, role: Role) -> None:
        self._references_only(path.field(), role)
        text = ExpressionWalk(self.variables, self._masks)
        text.pieces += [f"{call.function}(" for call in path.calls]
        text.run(path.value, role)
        for call in reversed(path.calls):
            for argument in call.arguments[1:]:
                text.pieces.append(", ")
                text.run(argument, role)
            text.pieces.append(")")
        self.pieces += text.pieces

    def _arguments(self, call: Call, name: str, role: Role) -> Iterator[Iterable[_Task]]:
        effect = effect_of(call, self._masks)
        inner = inner_role(name, role, masking=is_mask(call, self._masks), effect=effect)
        bound = self._bind_variables(call)
        for index, argument in enumerate(call.arguments):
            if index in bound and name in ELEMENTWISE:
                yield self._elements_only(argument, inner)
                continue
            chooses = name in functions.CHOICES or effect == "choice"
            if chooses and not isinstance(argument, Literal) and not is_counted_again(call):
                self._references_only(argument, role.then(T.CONDITIONAL))
            yield ((argument, argument_role(call, name, index, role, inner), False),)

    def _bind_variables(self, call: Call) -> Collection[int]:
        """Bind the variables of a higher-order function's lambda to its containers' elements.

        Returns:
            The indexes of the containers whose elements the lambda's body uses.
        """
        self._hide_order(call)
        lambda_index, containers = CONTAINERS.get(call.function, (0, ()))
        body = call.arguments[lambda_index] if lambda_index < len(call.arguments) else None
        if not containers or not isinstance(body, LambdaFunction):
            return ()
        used = used_variables(body.body)
        bound = []
        for index, indexes in enumerate(containers):
            reference = self._container(call.arguments[index])
            own = [body.variables[at] for at in indexes if at < len(body.variables)]
            if reference is not None:
                self.variables.update(dict.fromkeys(own, reference))
                bound += [index] if used.intersection(own) else []
        return bound

    def _hide_order(self, call: Call) -> None:
        """Hide the variables of the lambda of `array_sort`: the comparison only orders the elements."""
        if call.function == "array_sort":
            self._hidden.update(
                expr_id for each in call.arguments if isinstance(each, LambdaFunction) for expr_id in each.variables
            )

    def _container(self, expression: Expression) -> FieldReference | None:
        if isinstance(expression, (LambdaVariable, GetField)) and (variable := self._variable_path(expression)):
            return variable
        return as_reference(expression) or elements(expression)

    def _elements_only(self, expression: Expression, role: Role) -> Iterator[_Task]:
        """Yield the conditions of a container whose elements are bound in a lambda, if it is filtered."""
        if not isinstance(expression, Call) or self._container(expression) is None:
            yield "…" if self._container(expression) is not None else (expression, role, False)
            return
        self._bind_variables(expression)
        yield f"{expression.function}("
        yield from self._elements_only(expression.arguments[0], role)
        for argument in expression.arguments[1:]:
            yield ", "
            yield (argument, role, False)
        yield ")"

    def _case_when(self, case_when: CaseWhen, role: Role, is_operand: bool) -> Iterator[_Task]:
        if (call := guarded_call(case_when)) is not None:
            yield (call, role, is_operand)
            return
        value = role.then(T.TRANSFORMATION)
        condition = value if is_of_time_window(case_when) else role.then(T.CONDITIONAL)
        yield "CASE"
        for when, then in case_when.branches:
            yield " WHEN "
            yield (when, condition, False)
            yield " THEN "
            yield (then, value, False)
        if case_when.otherwise is not None:
            yield " ELSE "
            yield (case_when.otherwise, value, False)
        yield " END"

    def _window(self, window: WindowExpression, role: Role, is_operand: bool) -> Iterator[_Task]:
        function = window.function
        if isinstance(function, Call) and functions.base_name(function.function) in functions.RANKS:
            yield f"{function.function}()"
        else:
            yield (function, role.then(T.TRANSFORMATION), False)
        order = role.then(T.WINDOW)
        yield " OVER ("
        yield from window_words(window, order)
        yield ")"

    def _filtered_aggregate(self, aggregate: FilteredAggregate, role: Role, is_operand: bool) -> Iterator[_Task]:
        yield (aggregate.function, role, False)
        yield " FILTER (WHERE "
        yield (aggregate.condition, role.then(T.CONDITIONAL), False)
        yield ")"


_VISITS: Mapping[type, Any] = {
    Literal: ExpressionWalk._literal,
    Phrase: ExpressionWalk._phrase,
    GetField: ExpressionWalk._field,
    GetItem: ExpressionWalk._item,
    LambdaVariable: ExpressionWalk._variable,
    LambdaFunction: ExpressionWalk._lambda,
    Call: ExpressionWalk._call,
    CaseWhen: ExpressionWalk._case_when,
    WindowExpression: ExpressionWalk._window,
    FilteredAggregate: ExpressionWalk._filtered_aggregate,
}


def analyze(
    expression: Expression,
    *,
    aggregate: bool = False,
    variables: Mapping[int, FieldReference] | None = None,
    masks: Collection[str] = (),
) -> Analysis:
    """Find an expression's references and their kinds.

    Args:
        aggregate: Whether only aggregate functions are possible (a `Functions` list).
        variables: The bindings of lambda variables around the expression.
        masks: The user's masking functions, as `masks.mask_names` returns them.
    """
    root = unwrapped(expression)
    walk = ExpressionWalk(variables, masks)
    walk.run(root, Role(T.AGGREGATION if aggregate else T.IDENTITY, masking=False))
    analyze_part = partial(analyze, variables=walk.variables, masks=masks)
    parts = kept_parts(root) if aggregate else struct_parts(root) or kept_parts(root)
    fields = {name: analyze_part(part, aggregate=aggregate) for name, part in (parts or {}).items()}
    kept, is_extreme = kept_value(root)
    found = Analysis(
        tuple(walk.references),
        tuple(walk.pieces),
        fields=None if parts is None else fields,
        elements=elements(root),
        cast=cast(root),
        kept=kept,
        is_extreme=is_extreme,
        keeps_type=keeps_type(root),
        expression=root,
    )
    return found if aggregate else _of_row(found, expression, root, analyze_part)


def _of_row(
    found: Analysis, expression: Expression, root: Expression, analyze_part: Callable[..., Analysis]
) -> Analysis:
    """Return the analysis of a value that is computed from one row, with what no aggregate function can be."""
    known = replace(found, data_type=cast_type(root), rebuilt_array=rebuilt_array(root))
    if passes := as_reference(root):
        known = replace(known, passes=passes, elements=None, rebuilt=_built_again(expression, passes, analyze_part))
    if found.fields is not None:
        return known
    if others := alternatives(root):
        return replace(known, alternatives=others)
    return known if passes else replace(known, combined=tuple(map(analyze_part, combined_arrays(root))))


def _built_again(
    expression: Expression, passes: FieldReference, analyze_part: Callable[..., Analysis]
) -> Analysis | None:
    """Return the analysis of a struct that is built again from the fields of the one that an expression passes on."""
    built = rebuilt_struct(expression)
    if built is None:
        return None
    struct = analyze_part(built)
    return replace(struct, references=(*struct.references, passes._replace(kind=T.CONDITIONAL)))
