"""Web push on loopback: a push service that passes messages on, and a browser's keys that open them."""

import json
from pathlib import Path

import pytest

from pilotfish import Pilotfish
from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.schedules import Notice
from pilotfish.core.settings import NoticeSettings
from pilotfish.safety.push_encryption import decode
from pilotfish.services.notice_delivery import UndeliverableNotice
from pilotfish.services.web_push import MOST_BROWSERS, PushTarget, is_service
from push_receiver import PushReceiver
from turned_clock import TurnedClock, open_at, wait_for_fires
from web.loopback import Reply, Site, site

from .test_telling import DONE, run_once, wait_for_notices

SERVICES = NoticeSettings().push_services
NOTICES = NoticeSettings(push_services=("127.0.0.1",), mail_to="me@example.com")


def accept(service: Site, path: str, status: int = 201) -> str:
    return service.at(path, lambda _: Reply(status=status))


async def add(fish: Pilotfish, endpoint: str, browser: PushReceiver | None = None, user: str = "local") -> str:
    return (await fish.push.add((browser or PushReceiver()).target(endpoint, "laptop"), user, NOTICES)).id


async def test_what_a_schedule_tells_reaches_the_browser_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    browser = PushReceiver()
    async with site() as service, open_at(tmp_path, clock, [DONE], notices=NOTICES) as fish:
        await add(fish, accept(service, "/send/abc"), browser)
        await run_once(fish, clock, "page")
        [sent] = await wait_for_notices(fish, "sent")
        [asked] = service.asked
    assert browser.open(asked.body) == {
        "title": "news",
        "text": "39 euros.",
        "link": f"/runs/{sent.run}",
        "tag": sent.id,
    }
    assert b"euros" not in asked.body
    assert asked.headers["content-encoding"] == "aes128gcm" and int(asked.headers["ttl"]) > 3600
    assert asked.headers["authorization"].startswith("vapid t=") and asked.headers["urgency"] == "normal"
    claims = json.loads(decode(asked.headers["authorization"].split(".")[1]))
    assert claims["aud"] == service.url and claims["sub"] == "mailto:me@example.com"


async def test_a_question_comes_as_a_link_that_answers_it(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    browser = PushReceiver()
    async with site() as service, open_at(tmp_path, clock, notices=NOTICES) as fish:
        await add(fish, accept(service, "/send/abc"), browser)
        made = await fish.schedule("Ask", "daily at 8", zone="UTC", options={"loop": "asks"})
        clock.turn("2026-11-18 08:00")
        await fish.standing.advance()
        await wait_for_notices(fish, "sent")
        told = browser.open(service.asked[0].body)
        assert service.asked[0].headers["urgency"] == "high"
        linked, _ = await fish.answer_links.read(told["link"].removeprefix("/answer/"))
        await fish.command(linked.run, "answer", text="S", request=linked.request, by="link")
        [fire] = await wait_for_fires(fish, made.id, 1)
    assert "Which <size>?" in told["text"] and "- S" in told["text"]
    assert fire.text == "You said S."


async def test_a_browser_that_is_gone_is_forgotten_and_the_others_are_told(tmp_path: Path) -> None:
    async with site() as service, open_at(tmp_path, TurnedClock("2026-11-18 07:30")) as fish:
        await add(fish, accept(service, "/gone", 410))
        stays = await add(fish, accept(service, "/here"))
        await fish.push.send(NOTICE, NOTICES)
        assert [each.id for each in await fish.push.list("local")] == [stays]
        assert service.count("/here") == 1
        await fish.push.drop(stays, "local")
        assert await fish.push.send(NOTICE, NOTICES) == 0


async def test_a_service_that_fails_is_tried_again_and_what_it_got_is_told_once(tmp_path: Path) -> None:
    answers = [503, 201]
    async with site() as service, open_at(tmp_path, TurnedClock("2026-11-18 07:30")) as fish:
        await add(fish, service.at("/send", lambda _: Reply(status=answers.pop(0))))
        with pytest.raises(UndeliverableNotice, match="503") as failure:
            await fish.push.send(NOTICE, NOTICES)
        await fish.push.send(NOTICE, NOTICES)
    assert not failure.value.final
    assert len({asked.headers["topic"] for asked in service.asked}) == 1
    assert len(service.asked[0].headers["topic"]) <= 32


NOTICE = Notice(id="s:r:result:page", user="local", channel="page", kind="result", title="news", text="x" * 5000)


@pytest.mark.parametrize(
    ("endpoint", "taken"),
    [
        ("https://fcm.googleapis.com/fcm/send/a", True),
        ("https://wns2-par02p.notify.windows.com/w/?token=a", True),
        ("http://fcm.googleapis.com/fcm/send/a", False),
        ("https://fcm.googleapis.com.evil.example/a", False),
        ("https://evil.example/?fcm.googleapis.com", False),
        ("https://169.254.169.254/latest", False),
        ("http://127.0.0.1:9/", False),
        ("https://[", False),
    ],
)
def test_only_services_that_the_settings_name_are_ever_sent_to(endpoint: str, taken: bool) -> None:
    assert is_service(endpoint, SERVICES) == taken


async def test_browsers_belong_to_their_user_and_there_are_not_too_many(tmp_path: Path) -> None:
    async with open_at(tmp_path, TurnedClock("2026-11-18 07:30")) as fish:
        mine = await add(fish, "http://127.0.0.1/mine")
        assert await add(fish, "http://127.0.0.1/mine") == mine
        assert [each.service for each in await fish.push.list("local")] == ["127.0.0.1"]
        assert await fish.push.list("eve") == []
        with pytest.raises(NotFoundError):
            await fish.push.drop(mine, "eve")
        with pytest.raises(PersonError, match="no push service"):
            await add(fish, "https://evil.example/")
        with pytest.raises(PersonError, match="no keys"):
            await fish.push.add(PushTarget(endpoint="http://127.0.0.1/", p256dh="AAAA", auth="AAAA"), "local", NOTICES)
        for number in range(1, MOST_BROWSERS):
            await add(fish, f"http://127.0.0.1/{number}")
        with pytest.raises(PersonError, match="already"):
            await add(fish, "http://127.0.0.1/more")
