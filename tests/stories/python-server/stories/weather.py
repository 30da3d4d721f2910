"""get_weather: one form, then the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_types import Tool

from .form import Form, Outcome
from .round import Reply, Round, answer

WEATHER = Tool(
    name="get_weather",
    title="Get the weather",
    description="Tells the weather at a location. Asks which units to use.",
    input_schema={
        "type": "object",
        "properties": {"location": {"type": "string", "minLength": 1, "maxLength": 100}},
        "required": ["location"],
    },
)


def weather(arguments: Mapping[str, Any], round: Round) -> Reply:
    location = arguments["location"]
    units = Form(
        "units",
        f"Which units should the weather in {location} be in?",
        {
            "type": "object",
            "properties": {
                "units": {
                    "type": "string",
                    "title": "Units",
                    "oneOf": [
                        {"const": "metric", "title": "Metric (°C, km/h)"},
                        {"const": "imperial", "title": "Imperial (°F, mph)"},
                    ],
                    "default": "metric",
                }
            },
            "required": ["units"],
        },
    )
    outcome, values = round.form(units)
    if outcome is Outcome.UNUSABLE:
        return round.ask(units)
    if outcome is Outcome.CANCELLED:
        return answer(f"The user cancelled: no weather for {location}.")
    if values.get("units") == "imperial":
        return answer(f"{location}: 64 °F, light rain, wind 9 mph.")
    return answer(f"{location}: 18 °C, light rain, wind 15 km/h.")  # also for who has no preference and declined
