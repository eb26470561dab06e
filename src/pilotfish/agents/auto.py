"""Choosing a loop: rules first, the light model only where they do not decide."""

import re
from typing import Literal

from pydantic import BaseModel

from pilotfish.core.messages import Message
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

CHORE = re.compile(
    r"^\s*(please\s+)?(click|press|type|fill|enter|open|go to|log ?in|sign (in|up)|book|buy|order|add|remove|delete"
    r"|send|submit|select|choose|upload|download|subscribe|search (for|the|this)|check the|uncheck|sort|scroll"
    r"|find and)\b"
    r"|^\s*(请)?(点击|打开|填写|输入|登录|预订|购买|添加|删除|发送|提交|选择|上传|下载)",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"\b(this|the|these|open|current) (page|pages|tab|tabs|site|article|document|table)\b"
    r"|\b(here|on it|summari[sz]e|tl;?dr)\b|这(个|篇|些)?(页面|网页|文章)|总结|摘要",
    re.IGNORECASE,
)
WORLD = re.compile(
    r"\b(latest|news|today|weather|who is|what is|when (is|was|did)|why|research|compare|best|search the web)\b"
    r"|最新|新闻|天气|谁是|什么是|为什么",
    re.IGNORECASE,
)
QUESTION = re.compile(r"[?\uff1f]\s*$|^\s*(who|what|when|where|which|why|how|is|are|does|do|can)\b", re.IGNORECASE)


class Choice(BaseModel):
    way: Literal["chat", "browse", "research"]


@loop("auto")
async def auto(run: Run) -> None:
    """Say which loop fits and why, then be it."""
    tabs = await run.has_tabs()
    way, why = rule(run.task, tabs)
    if not way:
        there = "Pages are open." if tabs else "No page is open."
        messages = [Message(role="system", text=f"{run.prompt('auto')}\n{there}"), *run.messages[-3:]]
        way = (await run.decide(Choice, messages, purpose="choose", tier="light")).way
        why = "the model reads it so"
    name = {"chat": "chat", "research": "react", "browse": await browser(run)}[way]
    if way == "chat" and not tabs:
        name, why = "react", "no page is open"
    await run.note("loop", f"Using {name}: {why}.", loop=name)
    await run.become(name)


def rule(task: str, tabs: bool) -> tuple[str, str]:
    """The way that the words themselves tell, and why; empty where they do not."""
    if CHORE.search(task):
        return "browse", "it asks for something to be done"
    if tabs and ABOUT.search(task):
        return "chat", "it asks about the open pages"
    if tabs and QUESTION.search(task) and not WORLD.search(task):
        return "chat", "it is a question, and pages are open"
    if not tabs and (WORLD.search(task) or QUESTION.search(task)):
        return "research", "it is a question, and no page is open"
    return "", ""


async def browser(run: Run) -> str:
    return "pilot" if (await run.facts()).small else "horizon"
