"""People are told over real channels on loopback, and answer questions of unattended runs by a link."""

import asyncio
import hmac
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from pydantic import SecretStr

from pilotfish import Pilotfish
from pilotfish.app import loop
from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import InputRequested, current_time
from pilotfish.core.records import RunRecord
from pilotfish.core.schedules import Notice, NoticeState
from pilotfish.core.settings import NoticeSettings
from pilotfish.runtime.run import Run
from pilotfish.safety.secrets import Secret
from pilotfish.services.notice_channels import NoticeChannels
from serving import serve_pilotfish
from turned_clock import PATIENCE, TurnedClock, open_at, wait_for_fires
from web.loopback import Reply, site


@loop("asks")
async def asks(run: Run) -> None:
    await run.finish(f"You said {await run.request_input('Which <size>?', ['S', 'L'])}.")


DONE = '{"plan": "39 euros.", "finish": true}'
SECRET = "a long shared secret"


async def wait_for_notices(fish: Pilotfish, state: NoticeState, count: int = 1) -> list[Notice]:
    with anyio.fail_after(PATIENCE):
        while len(found := await fish.store.notices("local", state)) < count:
            await anyio.sleep(0.05)
    return found


async def run_once(fish: Pilotfish, clock: TurnedClock, *channels: str) -> None:
    how: dict[str, Any] = {"zone": "UTC", "name": "news", "options": {"loop": "strict"}, "notify": channels}
    made = await fish.schedule("Read", "daily at 8", **how)
    clock.turn("2026-11-18 08:00")
    await wait_for_fires(fish, made.id, 1)


async def test_a_webhook_gets_a_signed_notice_once_it_answers(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    answers = [500, 500, 204]
    async with site() as receiver:
        url = receiver.at("/hook", lambda _: Reply(status=answers.pop(0)))
        settings = NoticeSettings(webhook_url=url, webhook_secret=SecretStr(SECRET), address="https://fish.example/")
        async with open_at(tmp_path, clock, [DONE], notices=settings) as fish:
            await run_once(fish, clock, "webhook")
            for tries in (1, 2):
                with anyio.fail_after(PATIENCE):
                    while (await fish.store.notices("local"))[0].tries < tries:
                        await anyio.sleep(0.05)
                clock.turn(minutes=10)
            [sent] = await wait_for_notices(fish, "sent")
    assert sent.tries == 3
    last = receiver.asked[-1]
    assert len({asked.headers["x-pilotfish-delivery"] for asked in receiver.asked}) == 1
    signed = f"{last.headers['x-pilotfish-timestamp']}.".encode() + last.body
    expected = hmac.digest(SECRET.encode(), signed, "sha256").hex()
    assert last.headers["x-pilotfish-signature"] == f"sha256={expected}"
    told = json.loads(last.body)
    assert (told["kind"], told["title"], told["text"]) == ("result", "news", "39 euros.")
    assert told["link"] == f"https://fish.example/runs/{sent.run}"


async def test_a_link_leads_to_where_the_server_listens_unless_the_settings_name_an_address(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with site() as receiver:
        url = receiver.at("/hook", lambda _: Reply(status=204))
        async with open_at(tmp_path, clock, [DONE], notices=NoticeSettings(webhook_url=url)) as fish:
            fish.notices.address = "http://127.0.0.1:9123"
            await run_once(fish, clock, "webhook")
            [sent] = await wait_for_notices(fish, "sent")
    assert json.loads(receiver.asked[-1].body)["link"] == f"http://127.0.0.1:9123/runs/{sent.run}"


async def test_what_a_channel_never_takes_becomes_a_dead_letter_that_can_be_tried_again(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with site() as receiver:
        url = receiver.at("/hook", lambda _: Reply(status=503))
        async with open_at(tmp_path, clock, [DONE], notices=NoticeSettings(webhook_url=url)) as fish:
            await run_once(fish, clock, "webhook", "page", "email")
            for tries in range(1, 7):
                with anyio.fail_after(PATIENCE):
                    while any(
                        one.tries < tries for one in await fish.store.notices("local") if one.channel == "webhook"
                    ):
                        await anyio.sleep(0.05)
                clock.turn(hours=3)
            failed = await wait_for_notices(fish, "failed", 2)
            errors = {notice.channel: notice.error for notice in failed}
            receiver.at("/hook", lambda _: Reply(status=200))
            dead = next(notice for notice in failed if notice.channel == "webhook")
            await fish.notices.retry(dead.id, "local")
            sent = await wait_for_notices(fish, "sent", 2)
            with pytest.raises(NotFoundError):
                await fish.notices.retry(dead.id, "bob")
    assert "answered 503" in errors["webhook"]
    assert "notices.smtp_host is not set" in errors["email"]
    assert {notice.channel for notice in sent} == {"page", "webhook"}


async def test_ntfy_gets_topic_title_and_a_link(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with site() as ntfy:
        ntfy.page("/", "{}")
        settings = NoticeSettings(ntfy_url=f"{ntfy.url}/my-topic", ntfy_token=SecretStr("tk_1"))
        async with open_at(tmp_path, clock, [DONE], notices=settings) as fish:
            await run_once(fish, clock, "ntfy")
            await wait_for_notices(fish, "sent")
    [asked] = ntfy.asked
    told = json.loads(asked.body)
    assert (told["topic"], told["title"], told["message"]) == ("my-topic", "news", "39 euros.")
    assert asked.headers["authorization"] == "Bearer tk_1" and "/runs/" in told["click"]


class MailServer:
    """A mail server on loopback that keeps what it is given."""

    def __init__(self) -> None:
        self.port = 0
        self.lines: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(text: str) -> None:
            writer.write(f"{text}\r\n".encode())

        say("220 mail")
        in_data = False
        while raw := await reader.readline():
            line = raw.decode().rstrip("\r\n")
            self.lines.append(line)
            if in_data:
                in_data = line != "."
                if not in_data:
                    say("250 kept")
            elif line.upper().startswith("EHLO"):
                say("250-mail\r\n250 AUTH PLAIN")
            elif line.upper().startswith("AUTH"):
                say("235 welcome")
            elif line.upper() == "DATA":
                in_data = True
                say("354 go on")
            elif line.upper() == "QUIT":
                say("221 bye")
                break
            else:
                say("250 fine")
        writer.close()


@asynccontextmanager
async def mail_server() -> AsyncGenerator[MailServer]:
    mail = MailServer()
    server = await asyncio.start_server(mail.serve, "127.0.0.1", 0)
    mail.port = server.sockets[0].getsockname()[1]
    try:
        yield mail
    finally:
        server.close()


async def test_a_mail_is_sent_with_a_password_that_is_a_kept_secret(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    how: dict[str, Any] = {"smtp_host": "127.0.0.1", "smtp_security": "none", "smtp_user": "ann"}
    async with mail_server() as mail:
        settings = NoticeSettings(**how, smtp_port=mail.port, smtp_password="mail", mail_to="ann@home.example")
        async with open_at(tmp_path, clock, [DONE], notices=settings) as fish:
            value = SecretStr("correct horse")
            await fish.safety.vault.keep("local", Secret(name="mail", value=value, origins=("https://127.0.0.1",)))
            await run_once(fish, clock, "email")
            [sent] = await wait_for_notices(fish, "sent")
    assert sent.error == ""
    assert "Subject: news" in mail.lines and "39 euros." in mail.lines
    heads = [line.partition(":")[0] for line in mail.lines]
    assert "Date" in heads and "Message-ID" in heads
    assert any(line.startswith("AUTH PLAIN") for line in mail.lines)
    assert any(line.lower().startswith("rcpt to:<ann@home.example>") for line in mail.lines)


async def test_a_secret_of_another_server_is_not_given_to_the_mail_server(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with mail_server() as mail:
        how: dict[str, Any] = {"smtp_host": "127.0.0.1", "smtp_port": mail.port, "smtp_security": "none"}
        settings = NoticeSettings(**how, smtp_password="bank", mail_to="a@b.example")
        async with open_at(tmp_path, clock, [DONE], notices=settings) as fish:
            value = SecretStr("correct horse")
            await fish.safety.vault.keep("local", Secret(name="bank", value=value, origins=("https://bank.example",)))
            await run_once(fish, clock, "email")
            [failed] = await wait_for_notices(fish, "failed")
    assert "not bound to 127.0.0.1" in failed.error and mail.lines == []


async def test_a_desktop_is_told_by_its_own_program_or_skipped_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr("sys.platform", "linux")
    async with open_at(tmp_path / "home", clock, [DONE, DONE]) as fish:
        await run_once(fish, clock, "desktop")
        [skipped] = await wait_for_notices(fish, "failed")
        script = programs / "notify-send"
        script.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {tmp_path}/shown\n')
        script.chmod(0o755)
        await fish.notices.retry(skipped.id, "local")
        await wait_for_notices(fish, "sent")
    assert "neither notify-send nor osascript" in skipped.error
    assert (tmp_path / "shown").read_text() == "--app-name=Pilotfish|--|news|39 euros.|"


async def test_what_a_desktop_is_told_is_no_option_of_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "osascript"
    script.write_text(f'#!/bin/sh\nshift 2\nprintf "%s|" "$@" > {tmp_path}/shown\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "darwin")
    told = Notice(id="n", user="u", channel="desktop", kind="result", title="-e", text='-e do shell script "x"')
    async with open_at(tmp_path / "home", TurnedClock("2026-11-18 07:30")) as fish:
        await NoticeChannels(fish.settings.notices, fish.notices.vault, fish.notices.push).send(told, "")
    assert (tmp_path / "shown").read_text() == 'e|e do shell script "x"|'


def make_question(run: str) -> InputRequested:
    return InputRequested(run=run, key="1.asked", request=f"{run}:1", question="Which size?", choices=("S", "L"))


async def test_a_link_answers_once_and_cannot_be_forged_or_used_late(tmp_path: Path) -> None:
    async with open_at(tmp_path, TurnedClock("2026-11-18 07:30")) as fish:
        await fish.store.create(RunRecord(id="r", user="local", conversation="c", task="t", loop="chat", worker="w"))
        asked = make_question("r")
        await fish.store.append([asked])
        links = fish.answer_links
        token = (await links.make(asked, current_time().replace(year=2100))).removeprefix("/answer/")
        assert (await links.read(token))[1].question == "Which size?"
        late = (await links.make(asked, current_time())).removeprefix("/answer/")
        body, _, signature = token.partition(".")
        for wrong in ("", "x", "é.é", f"{body}.{signature[:-4]}AAAA", f"{body[:-2]}AA.{signature}", late):
            with pytest.raises(NotFoundError):
                await links.read(wrong)
        await links.use_up(token)
        with pytest.raises(NotFoundError):
            await links.use_up(token)
        with pytest.raises(NotFoundError):
            await links.read(token)


async def test_a_question_of_an_unattended_run_is_answered_by_its_link(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    how: dict[str, Any] = {"zone": "UTC", "options": {"loop": "asks"}, "notify": ("ntfy",)}
    async with (
        site() as ntfy,
        open_at(tmp_path, clock, notices=NoticeSettings(ntfy_url=f"{ntfy.url}/topic")) as fish,
        serve_pilotfish(fish) as (_, url),
    ):
        ntfy.page("/", "{}")
        made = await fish.schedule("Order", "daily at 8", **how)
        clock.turn("2026-11-18 08:00")
        with anyio.fail_after(PATIENCE):
            while not ntfy.asked:
                await anyio.sleep(0.05)
        told = json.loads(ntfy.asked[0].body)
        path, own = urlsplit(told["click"]).path, {"origin": url}
        async with httpx2.AsyncClient(base_url=url) as client:
            shown = await client.get(path)
            assert "Which &lt;size&gt;?" in shown.text
            assert "default-src 'none'" in shown.headers["content-security-policy"]
            assert (await client.post(path, data={"answer": "L"})).status_code == 403
            assert "A run asks" in (await client.post(path, data={"answer": "XXL"}, headers=own)).text
            assert "Answered" in (await client.post(path, data={"answer": "L"}, headers=own)).text
            assert (await client.post(path, data={"answer": "S"}, headers=own)).status_code == 404
            assert (await client.get(path)).status_code == 404
        [fire] = await wait_for_fires(fish, made.id, 1)
    assert fire.text == "You said L."
    assert told["title"].startswith("Question: ")
