"""Prints what a LangChain model gets from a tool: langchain_host.py URL KEY TOOL ARGUMENTS."""

import asyncio
import json
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main(url, key, name, arguments):
    headers = {"Authorization": f"Bearer {key}"}
    connection = {"transport": "streamable_http", "url": url, "headers": headers}
    tools = await MultiServerMCPClient({"waypost": connection}).get_tools()
    [tool] = [each for each in tools if each.name == name]
    call = {"type": "tool_call", "id": "call_1", "name": name, "args": json.loads(arguments)}
    message = await tool.ainvoke(call)
    print(json.dumps(message.content))


asyncio.run(main(*sys.argv[1:]))
