"""Two tools of tests/stories/go-server, in the same words and with the same state, so that either server can go on."""

from .round import Round, Story
from .weather import WEATHER, weather
from .workitem import WORK_ITEM, work_item

STORIES: dict[str, Story] = {WEATHER.name: weather, WORK_ITEM.name: work_item}
TOOLS = [WEATHER, WORK_ITEM]

__all__ = ["STORIES", "TOOLS", "Round"]
