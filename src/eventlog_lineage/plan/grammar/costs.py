"""What the readings of ambiguous text cost: the only place with weights.

A reading is a sum of these; the cheapest reading wins, and one that costs as little is a rival: if it has other
sources, the caller reports a gap. Costs of one group are compared with each other only. `benchmarks/fit_costs.py` fits
them to statements whose sources are known and prints how far each can move; a new case is a statement there, not a
number here.
"""

from __future__ import annotations

from dataclasses import dataclass

NEVER = 1 << 30
"""The cost of a reading that is impossible."""


@dataclass(frozen=True)
class Costs:
    """The costs, by what is read.

    Attributes:
        literal: In an expression, a bracket or keyword is part of a literal.
        literal_function: An opening bracket after a function's name is part of a literal; `literal_known_function`
            more if the function is Spark's.
        literal_comma: A comma between brackets is part of a literal; `literal_comma_at_top` outside all brackets.
        no_function: A call whose name cannot be a function's.
        no_operator: A group without an operator.
        other_arity: A call of a function with another number of arguments than it is printed with.
        word_after_end: A closing bracket before a word ends a call.
        literal_after_bracket: A closing bracket of a literal follows another one; `literal_after_word` a word,
            `literal_after_attribute` an attribute.
        unclosed: A bracket or keyword has no end, an item is missing or one too many.
        unmatched: In an item of a list, a bracket is unmatched.
        id_in_name: An attribute's name contains what ends like an item; `known_in_name` an attribute of the plan.
        unknown: An attribute is none of the plan's; `unknown_before_id` and its name ends in an id.
        id_in_child: The expression of an alias contains what ends like an item, outside brackets.
        alias_in_child: It contains what looks like an alias; `certain_alias_in_child` one that the plan proves.
        known_in_literal: A literal that is a whole expression contains an attribute of the plan.
        alias_before: An item contains an alias whose id precedes its own: aliases of a list have consecutive ids.
        comma_in_name: A name contains a comma; those of the values of an INSET, which have no brackets, cost nothing.
        set_in_name: An attribute contains `status#1 INSET`: names have the `IN` of the SQL.
        unused: An item ends in an alias that nothing else prints: more likely a literal's text.
        bracket_in_name: The name of an alias has an unmatched bracket; `bracket_in_attribute` that of an attribute.
        half_a_list: An argument begins with a bracket and does not end with one.
        open_case: A CASE has a THEN and no END.
        alias_rest_word: Of several ASs, the name after one has another AS; `alias_rest_id` an id.
        alias_name_bracket: An attribute without an alias has an unmatched bracket; `no_alias` it has none.
        cell_bracket: A cell of `stack` has an unmatched bracket; `cell_attribute_bracket` one with an attribute.
        cell_comma: It has a comma outside brackets; `cell_attribute_comma` one with an attribute.
    """

    literal: int = 40
    literal_function: int = 52
    literal_known_function: int = 4
    literal_comma: int = 16
    literal_comma_at_top: int = 36
    no_function: int = 28
    no_operator: int = 44
    other_arity: int = 24
    word_after_end: int = 14
    literal_after_bracket: int = 2
    literal_after_word: int = 1
    literal_after_attribute: int = 20
    unclosed: int = 120

    unmatched: int = 10
    id_in_name: int = 24
    known_in_name: int = 40
    unknown: int = 10
    unknown_before_id: int = 30
    id_in_child: int = 8
    alias_in_child: int = 40
    certain_alias_in_child: int = 120
    known_in_literal: int = 60
    alias_before: int = 60
    comma_in_name: int = 7
    set_in_name: int = 240
    unused: int = 60
    bracket_in_name: int = 4
    bracket_in_attribute: int = 14
    half_a_list: int = 5
    open_case: int = 40

    alias_rest_word: int = 3
    alias_rest_id: int = 9
    alias_name_bracket: int = 14
    no_alias: int = 10

    cell_bracket: int = 5
    cell_attribute_bracket: int = 20
    cell_comma: int = 2
    cell_attribute_comma: int = 8


COSTS = Costs()
