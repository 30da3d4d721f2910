"""An agent in LangGraph whose tools ask in the middle of a call. README.md says how to run it."""

import asyncio
import json
import sys
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command

from parley_mrtr.host import connect
from parley_mrtr.host.langgraph import tools


def think(messages: list[AnyMessage]) -> AIMessage:
    """Stands in for a chat model: it asks for the weather once, and then says what it heard."""
    last = messages[-1]
    if isinstance(last, ToolMessage):
        return AIMessage(f"I have asked: {last.content}")
    call = {"id": "call-1", "name": "get_weather", "args": {"location": str(last.content)}}
    return AIMessage("", tool_calls=[call])


def agent(served: list[BaseTool], saver: AsyncSqliteSaver) -> CompiledStateGraph:
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [think(state["messages"])]})
    graph.add_node("tools", ToolNode(served))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(saver)


async def main(server: str, file: str, *place: str) -> None:
    thread: Any = {"configurable": {"thread_id": "1"}}
    async with connect(server) as session, AsyncSqliteSaver.from_conn_string(file) as saver:
        chat = agent(await tools(session), saver)
        if place:
            await chat.ainvoke({"messages": [HumanMessage(place[0])]}, thread, durability="sync")
        while waiting := (await chat.aget_state(thread)).interrupts:
            print(json.dumps(waiting[0].value), flush=True)
            answers = json.loads(input())
            await chat.ainvoke(Command(resume=answers), thread, durability="sync")
        print((await chat.aget_state(thread)).values["messages"][-1].content)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
