"""Reads answers on standard input, one a line as {"schema", "content"}, and says on one line what jsonschema finds
wrong with each: pairs of a property and a keyword. Numbers are decimal, so that multipleOf 0.01 means what it says."""

import json
import numbers
import sys
from decimal import Decimal

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend


def whole(_, value) -> bool:
    return not isinstance(value, bool) and (
        isinstance(value, int) or (isinstance(value, Decimal) and value == value.to_integral_value())
    )


def multiple(_, step, value, __):
    if isinstance(value, numbers.Number) and not isinstance(value, bool) and Decimal(value) % Decimal(step):
        yield ValidationError(f"is not a multiple of {step}")


checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", whole)
Judge = extend(Draft202012Validator, {"multipleOf": multiple}, type_checker=checker)

for line in sys.stdin:
    case = json.loads(line, parse_float=Decimal)
    case["schema"].pop("$schema", None)  # rmcp says draft 7, and uses nothing of it
    judge = Judge(case["schema"], format_checker=FormatChecker())
    errors = judge.iter_errors(case["content"])
    print(json.dumps([["".join(map(str, [*error.absolute_path][:1])), error.validator] for error in errors]))
