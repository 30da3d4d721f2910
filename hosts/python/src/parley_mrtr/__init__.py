"""Parley for Python: MCP calls that can wait for people.

`parley_mrtr.codec` seals what a server hands out as requestState, `parley_mrtr.server` puts it into the official SDK
and FastMCP, `parley_mrtr.host` carries calls of a client.
"""

__version__ = "0.1.0"
