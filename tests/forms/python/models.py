"""Two hundred pydantic models as people write them for forms, drawn by a seed: the same seed, the same models."""

from __future__ import annotations

import enum
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union
from uuid import UUID

from dice import Dice
from pydantic import (
    UUID4,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    ByteSize,
    ConfigDict,
    EmailStr,
    Field,
    FutureDate,
    HttpUrl,
    Json,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    RootModel,
    SecretStr,
    WithJsonSchema,
    create_model,
)

MANY = 200
NAMES = "name age email city count price size when until note tags level color notify id web share team room".split()
WORDS = "red green blue small large fast slow north south gold tin".split()


class Color(str, enum.Enum):
    RED = "red"
    GREEN = "green"


class Size(enum.Enum):
    """How large it is."""

    SMALL = "s"
    LARGE = "l"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    AUTO = "auto"
    TWO = 2
    HALF = 0.5


class Only(enum.Enum):
    ONE = "one"


class Code(RootModel[str]):
    """A short code."""


class Address(BaseModel):
    street: str
    city: str = "Oslo"


@dataclass
class Drawn:
    kind: str  # flat, nested or secret
    model: type[BaseModel]


REQUIRED = ...
AMOUNT = "An amount like 12.50"  # the schema of a Decimal is no more than "number or text"

# A way to make a field: its annotation, and what is beside it.
PLAIN = [str, int, float, bool]
ENUMS = [Color, Size, Level, Mixed, Only]
FORMATTED = [
    date,
    datetime,
    time,
    timedelta,
    EmailStr,
    AnyUrl,
    HttpUrl,
    UUID,
    Decimal,
    Path,
    ipaddress.IPv4Address,
    FutureDate,
]
FORMATTED += [AwareDatetime, UUID4, bytes, ByteSize, NonNegativeInt, Literal["a"] | None, Code, Json]
UNIONS = [
    Union[int, str],
    Union[float, str],
    Union[int, str, None],
    Union[bool, int],
    Union[date, int],
    Union[int, float],
]
UNIONS += [Union[str, list[str]], Union[Code, int], Union[list[str], None, int]]
UNIONS += [
    Union[Color, str],
    Union[Literal["auto"], int],
    Union[EmailStr, AnyUrl],
    Union[int, str, bool],
    Union[Level, Color],
]
NESTED = [Address, Optional[Address], list[Address], dict[str, str], dict[str, Any], Any, tuple[int, str], object]
NESTED += [list[bool], list[Union[int, str]], list[Optional[bool]], set[Union[int, str]], None]
NESTED += [Union[str, Address], list[Any], list, list[list[int]], list[dict]]
PATTERNS = [r"^[A-Z]{3}$", r"^\d{5}$", r"^[a-z]+-[0-9]+$"]


def literal(*values: Any) -> Any:
    return Literal[tuple(values)]


def plain(d: Dice) -> tuple[Any, Any]:
    kind = d.one(PLAIN)
    return kind, d.one([REQUIRED, REQUIRED, {str: "some text", int: 3, float: 1.5, bool: False}[kind]])


def described(d: Dice) -> tuple[Any, Any]:
    about: dict = {"description": "What the server wants to know.\nOn two lines."}
    if d.below(2):
        about["title"] = "Your choice"
    kind = d.one(PLAIN)
    if d.below(3) == 0:
        about["examples"] = [{str: "Oslo", int: 4, float: 2.5, bool: True}[kind]]
    if d.below(6) == 0:
        about["deprecated"] = True
    return kind, Field(**about)


def optional(d: Dice) -> tuple[Any, Any]:
    kind = d.one([*PLAIN, *PLAIN, date, EmailStr, Color, Size, Level, list[str], literal("a", "b"), Decimal, UUID])
    annotation = d.one([Optional[kind], Union[kind, None]])
    if d.below(4) == 0:
        kind = Annotated[d.one([int, float]), Field(ge=0, le=10)]
        annotation = Optional[kind]
    value = d.one([None, None, None, REQUIRED, Field(default=None, description="May be left empty.")])
    if kind is Decimal:
        return annotation, Field(default=None, description=AMOUNT)
    if kind in PLAIN and d.below(5) == 0:
        return annotation, {str: "some text", int: 3, float: 1.5, bool: True}[kind]
    if kind is Color and d.below(2) == 0:
        return annotation, Color.GREEN
    if kind is str and d.below(4) == 0:
        return Annotated[annotation, Field(min_length=1, max_length=9)], None
    if kind is date and d.below(2) == 0:
        return annotation, date(2999, 1, 2)
    return annotation, value


def choice(d: Dice) -> tuple[Any, Any]:
    values = d.one(
        [d.some(WORDS), d.some(WORDS), d.some(range(1, 9)), ["auto", 1, 2], [True], ["one"], ["1", 1], [1, None]]
    )
    return literal(*values), d.one([REQUIRED, REQUIRED, values[0]])


def enumeration(d: Dice) -> tuple[Any, Any]:
    kind = d.one(ENUMS)
    return kind, d.one([REQUIRED, REQUIRED, next(iter(kind)), Field(description="One of these.")])


def several(d: Dice) -> tuple[Any, Any]:
    kind = d.one([str, str, str, int, float, literal(*d.some(WORDS)), literal(1, 2, 3), Color, Level, date, EmailStr])
    annotation = d.one(
        [list[kind], list[kind], list[kind], set[kind], Optional[list[kind]], tuple[kind, ...], Sequence[kind]]
    )
    bounds = d.one([{}, {}, {"min_length": 1}, {"max_length": 3}, {"min_length": 1, "max_length": 2}])
    value = d.one([REQUIRED, REQUIRED, Field(default_factory=list), Field(**bounds), Field(**bounds)])
    return annotation, None if annotation == Optional[list[kind]] else value


def number(d: Dice) -> tuple[Any, Any]:
    whole = d.below(2) == 0
    low, high = d.below(20) - 10, 20 + d.below(1000)
    if not whole:
        low, high = low + 0.5, high + 0.25
    bounds: dict = {}
    if d.below(3):
        bounds[d.one(["gt", "ge"])] = low
    if d.below(3):
        bounds[d.one(["lt", "le"])] = high
    if d.below(3) == 0:
        bounds["multiple_of"] = d.one([5, 2, 10] if whole else [0.5, 0.01, 0.25])
    kind = d.one([int, int, PositiveInt] if whole else [float, float, NonNegativeFloat, Decimal])
    if kind is Decimal:
        return kind, Field(description=AMOUNT)
    return kind, Field(**bounds) if kind in (int, float) else REQUIRED


def text(d: Dice) -> tuple[Any, Any]:
    limits: dict = {}
    if d.below(2):
        limits["min_length"] = d.below(5)
    if d.below(2):
        limits["max_length"] = 5 + d.below(30)
    if not limits or d.below(4) == 0:
        limits = {"pattern": d.one(PATTERNS)}
    return str, Field(
        **limits, **d.one([{}, {}, {}, {"alias": f"fullName{d.below(1000)}"}, {"alias": f"@odd/name~{d.below(1000)}"}])
    )


def formatted(d: Dice) -> tuple[Any, Any]:
    kind = d.one(FORMATTED)
    about = {Decimal: AMOUNT, Json: 'JSON like {"a":1}'}.get(kind)
    return kind, Field(description=about) if about else REQUIRED


def union(d: Dice) -> tuple[Any, Any]:
    kind = d.one(UNIONS)
    return kind, d.one([REQUIRED, REQUIRED, 7])


def extra(d: Dice) -> tuple[Any, Any]:
    values = d.some(WORDS)
    titled = [{"const": value, "title": value.title()} for value in values]
    return d.one(
        [
            (str, Field(json_schema_extra={"enum": values})),
            (str, Field(json_schema_extra={"enum": values, "enumNames": [value.title() for value in values]})),
            (str, Field(json_schema_extra={"oneOf": titled})),
            (str, Field(json_schema_extra={"format": "email"})),
            (str, Field(json_schema_extra={"x-order": 1})),
            (int, Field(json_schema_extra={"minimum": 1, "maximum": 9})),
            (Annotated[str, WithJsonSchema({"type": "string", "maxLength": 5})], REQUIRED),
            (str, Field(frozen=True, repr=False, validation_alias="theOther")),
            (list[str], Field(json_schema_extra={"items": {"anyOf": titled}})),
            (list[str], Field(json_schema_extra={"items": {"type": "string", "enum": values}, "uniqueItems": True})),
        ]
    )


def nested(d: Dice) -> tuple[Any, Any]:
    return d.one(NESTED), REQUIRED


def secret(d: Dice) -> tuple[Any, Any]:
    return d.one(
        [
            (SecretStr, REQUIRED),
            (Optional[SecretStr], None),
            (str, Field(json_schema_extra={"format": "password"})),
            (str, Field(json_schema_extra={"writeOnly": True})),
        ]
    )


FLAT = [
    plain,
    plain,
    plain,
    described,
    optional,
    optional,
    choice,
    enumeration,
    several,
    number,
    number,
    text,
    formatted,
    union,
    extra,
]


def draw(seed: int) -> list[Drawn]:
    d = Dice(seed)
    drawn = []
    for i in range(MANY):
        kind = "flat"
        makers = [d.one(FLAT) for _ in range(1 + d.below(5))]
        if d.below(10) == 0:
            kind = d.one(["nested", "secret"])
            makers.append(nested if kind == "nested" else secret)
        names = d.some(NAMES, len(makers), len(makers))
        fields: dict = {name: make(d) for name, make in zip(names, makers, strict=True)}
        config = d.one([None, None, None, ConfigDict(extra="forbid"), ConfigDict(title="A form")])
        drawn.append(Drawn(kind, create_model(f"Form{i}", __config__=config, **fields)))
    return drawn
