"""The declared things, and their form as rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

EXPOSURE = "exposure:"
"""What the dataset of an exposure (a dashboard, a notebook, a model) begins with; its name follows."""

MANUAL = "manual"
"""The origin of declared edges, and their job if the file names none."""

PERSONAL = "PII"
"""The tag of columns with names of personal data, unless a file declares what has it."""

PERSONAL_NAMES = (
    r"e?_?mail|phone|mobile|fax|birth|dob|ssn|passport|iban|credit_?card|card_?number|first_?name|last_?name|sur_?name|"
    r"full_?name|user_?name|street|postcode|postal|zip_?code|ip_?addr|tax_?id|salary|gender|latitude|longitude|"
    r"password|personal"
)
"""Words in such names, as a regular expression."""

ALL_COLUMNS = "*"
"""An edge with this source column copies all columns of its source under their names."""


@dataclass(frozen=True, slots=True)
class Thing:
    """What a file declares of datasets, columns, jobs or an exposure.

    Attributes:
        kind: `dataset`, `column`, `job` or `exposure`.
        name: The name as the file has it, a pattern with `*`; an exposure's with its prefix.
        column: The column; empty for other kinds.
        owner: Who is responsible: a team, a person, an address.
        contact: Whom to call: a channel, a number, an address.
        description: What it is.
        type: What an exposure is: `dashboard`, `notebook`, `ml`.
        url: Where it is.
        due_seconds: The longest time between two writes; None for its usual one.
        tags: Its classifications.
        origin: `file` or `dbt`.
    """

    kind: str
    name: str
    column: str = ""
    owner: str = ""
    contact: str = ""
    description: str = ""
    type: str = ""
    url: str = ""
    due_seconds: int | None = None
    tags: tuple[str, ...] = ()
    origin: str = "file"


@dataclass(frozen=True, slots=True)
class DeclaredEdge:
    """An edge that no log shows.

    Attributes:
        source: The dataset read.
        target: The dataset written, or the dataset of an exposure.
        source_column: The column read; empty for the whole dataset, `*` for each column under its name.
        target_column: The column written; empty for the whole dataset.
        transformation: As in `column_lineage`.
        masking: It hashes, masks or counts.
        expression: How the value is made.
        job: What moves the data.
        valid_from: ISO 8601, UTC without a zone; empty for always.
        valid_to: The same; empty for today and later.
    """

    source: str
    target: str
    source_column: str = ""
    target_column: str = ""
    transformation: str = "IDENTITY"
    masking: bool = False
    expression: str = ""
    job: str = MANUAL
    valid_from: str = ""
    valid_to: str = ""


@dataclass(frozen=True, slots=True)
class TagRule:
    """A classification: where it begins, and what becomes of it.

    Attributes:
        tag: Its name.
        columns: Patterns of `dataset.column` with `*`.
        datasets: Patterns of datasets, all of whose columns have it.
        masked: The tag of what a hash, a mask or a count makes of it; empty for none.
        flows: It goes on to what is made of a column.
        description: What it means.
    """

    tag: str
    columns: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    masked: str = ""
    flows: bool = True
    description: str = ""


@dataclass(frozen=True, slots=True)
class Declarations:
    """All that some files declare; a later thing of the same name takes precedence, field by field."""

    things: tuple[Thing, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()
    rules: tuple[TagRule, ...] = ()

    def __add__(self, other: Declarations) -> Declarations:
        """Return the declarations of both."""
        return Declarations(self.things + other.things, self.edges + other.edges, self.rules + other.rules)

    def texts(self) -> list[tuple[str, str]]:
        """Return each as its kind and its JSON, in order."""
        listed: tuple[Thing | DeclaredEdge | TagRule, ...] = (*self.things, *self.edges, *self.rules)
        return [(type(each).__name__, json.dumps(asdict(each), ensure_ascii=False)) for each in listed]

    @staticmethod
    def of(texts: Iterable[tuple[str, str]]) -> Declarations:
        """Return what `texts` was made from; fields that this program does not know are left out."""
        things: list[Thing] = []
        edges: list[DeclaredEdge] = []
        rules: list[TagRule] = []
        for kind, text in texts:
            values: dict[str, Any] = json.loads(text)
            if kind == Thing.__name__:
                things.append(Thing(**_known(Thing, values)))
            elif kind == DeclaredEdge.__name__:
                edges.append(DeclaredEdge(**_known(DeclaredEdge, values)))
            elif kind == TagRule.__name__:
                rules.append(TagRule(**_known(TagRule, values)))
        return Declarations(tuple(things), tuple(edges), tuple(rules))


def _known(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items() if name in names}
