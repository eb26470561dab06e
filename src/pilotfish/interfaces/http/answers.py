"""The page behind the link of a notice, where a question of an unattended run is answered without signing in."""

import html
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import InputRequested
from pilotfish.interfaces.web_server.dependencies import AppDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.services.answer_links import LinkedQuestion

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pilotfish</title>
<meta name="referrer" content="same-origin">
<style>:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}
body {{ max-width: 36rem; margin: 2rem auto; padding: 0 1rem }}
p {{ white-space: pre-wrap; overflow-wrap: anywhere }}
button, textarea {{ font: inherit; padding: .5rem 1rem; margin: .25rem .25rem .25rem 0 }}
textarea {{ display: block; width: 100%; box-sizing: border-box }}</style>
<h1>{heading}</h1>
{body}
"""
# Without a referrer browsers send a form with “Origin: null”, which the server takes for another site.
SECURITY = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
}
router = APIRouter(tags=["schedules"])
LinkToken = Annotated[str, Path(max_length=2000)]


def show_page(heading: str, body: str, status: int = 200) -> Response:
    return HTMLResponse(PAGE.format(heading=html.escape(heading), body=body), status, headers=SECURITY)


def show_question(linked: LinkedQuestion, asked: InputRequested, task: str) -> Response:
    """The question with a button for each choice, or with a field. Opening it changes nothing."""
    buttons = "".join(
        f'<button name="answer" value="{html.escape(choice)}">{html.escape(choice)}</button>'
        for choice in asked.choices
    )
    field = '<textarea name="answer" rows="3" aria-label="Answer" required></textarea><button>Answer</button>'
    body = (
        f"<p>{html.escape(task[:500])}</p><p><strong>{html.escape(asked.question)}</strong></p>"
        f'<form method="post">{buttons or field}</form>'
        f"<p>It can be answered once, until {linked.expires:%Y-%m-%d %H:%M} UTC.</p>"
    )
    return show_page("A run asks", body)


@router.get("/answer/{token}", include_in_schema=False)
async def open_question(fish: AppDep, token: LinkToken) -> Response:
    """Show the question of a link."""
    try:
        linked, asked = await fish.answer_links.read(token)
    except NotFoundError as error:
        return show_page("Not valid any more", f"<p>{html.escape(f'{error.message} {error.fix}')}</p>", 404)
    return show_question(linked, asked, (await fish.record(linked.run)).task)


@router.post("/answer/{token}", include_in_schema=False)
async def answer_question(fish: AppDep, token: LinkToken, request: Request) -> Response:
    """Answer the question of a link, once."""
    if request.headers.get("origin") is None and request.headers.get("sec-fetch-site") != "same-origin":
        raise RequestRefused(403, "no_origin", "This form is sent by our own page only.", "Open the link again.")
    sent = parse_qs((await request.body()).decode(errors="replace"))
    text = sent.get("answer", [""])[0][:10_000].strip()
    try:
        linked, asked = await fish.answer_links.read(token)
        if not text or (asked.choices and text not in asked.choices):
            return show_question(linked, asked, (await fish.record(linked.run)).task)
        await fish.answer_links.use_up(token)
    except NotFoundError as error:
        return show_page("Not valid any more", f"<p>{html.escape(f'{error.message} {error.fix}')}</p>", 404)
    await fish.command(linked.run, "answer", text=text, request=linked.request, by="link")
    return show_page("Answered", f"<p>{html.escape(text)}</p>")
