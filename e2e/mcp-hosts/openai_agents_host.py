"""Prints what a model of the OpenAI Agents SDK gets from a tool: openai_agents_host.py URL KEY TOOL ARGUMENTS."""

import asyncio
import json
import sys

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from agents.mcp import MCPServerStreamableHttp
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class Recorder(Model):
    """Calls the tool in its first turn and keeps the input of its second."""

    def __init__(self, name, arguments):
        self.call = ResponseFunctionToolCall(
            type="function_call", id="fc_1", call_id="call_1", name=name, arguments=arguments
        )
        self.seen = None

    async def get_response(self, system_instructions, input, *_, **__):
        outputs = [item["output"] for item in input if isinstance(item, dict) and "output" in item]
        if not outputs:
            return ModelResponse(output=[self.call], usage=Usage(), response_id=None)
        [self.seen] = outputs
        text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
        message = ResponseOutputMessage(
            type="message", id="msg_1", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


async def main(url, key, name, arguments):
    headers = {"Authorization": f"Bearer {key}"}
    model = Recorder(name, arguments)
    async with MCPServerStreamableHttp(params={"url": url, "headers": headers}) as server:
        agent = Agent(name="host", model=model, mcp_servers=[server])
        await Runner.run(agent, "Find coffee.", run_config=RunConfig(tracing_disabled=True))
    print(json.dumps(model.seen))


asyncio.run(main(*sys.argv[1:]))
