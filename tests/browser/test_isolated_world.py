"""Our script in every frame, in its own world, through navigations and hung pages."""

import asyncio
from contextlib import suppress

import pytest
from playwright.async_api import Error

from browser.stage import Site, serve_site
from pilotfish.browser.perception.isolated_world import IsolatedWorld, PageError
from pilotfish.browser.perception.observer import ElementIds, PageObserver
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


async def test_frames_of_all_kinds_answer_and_points_are_in_page_coordinates(
    session: BrowserSession, site: Site
) -> None:
    with serve_site() as other:
        inner = other.put("/inner", "<button onclick='document.title=1' style='margin:30px'>Deep</button>")
        far = other.put("/far", f"<button>Far</button><iframe src={inner.replace('127.0.0.1', 'localhost')}></iframe>")
        tab = await session.tab()
        await tab.goto(
            site.html(
                "<div style='height:50px'></div><iframe srcdoc='<button>Near</button>'></iframe>"
                f"<iframe style='border:7px solid' height=300 src={far.replace('127.0.0.1', 'localhost')}></iframe>"
            )
        )
        await tab.page.wait_for_load_state()
        view = await tab.observer.look()
        names = {node.name: node for node in view.elements}
        assert {"Near", "Far", "Deep"} <= names.keys()
        spot = await tab.observer.locate(names["Deep"].id)
        await tab.page.mouse.click(*spot.point)
        frame = tab.page.frames[-1]
        assert await frame.evaluate("document.title") == "1"


async def test_a_frame_in_a_shadow_tree_is_seen(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<div id=host></div>"))
    await tab.page.evaluate(
        "host.attachShadow({mode: 'open'}).innerHTML = `<iframe srcdoc='<button id=b>Shaded</button>'></iframe>`"
    )
    await tab.page.frames[-1].wait_for_selector("button")
    view = await tab.observer.look()
    shaded = next(node for node in view.elements if node.name == "Shaded")
    assert (await tab.observer.locate(shaded.id)).name == "Shaded"


async def test_frames_that_nobody_sees_are_not_listed(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<iframe style='display:none' srcdoc='<button>Secret</button>'></iframe><p>words</p>"))
    assert "Secret" not in (await tab.observer.look()).text


async def test_a_frame_is_seen_while_it_shows_and_only_then(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<iframe id=f srcdoc='<button>Now</button>'></iframe><p>words</p>"))
    await tab.page.frames[-1].wait_for_selector("button")
    for shown in (True, True, False, False, True):
        await tab.page.evaluate("shown => { f.hidden = !shown }", shown)
        assert ("Now" in (await tab.observer.look()).text) == shown


async def test_a_removed_frame_is_forgotten(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<iframe id=f srcdoc='<button>Brief</button>'></iframe><button>Stays</button>"))
    await tab.page.frames[-1].wait_for_selector("button")
    assert "Brief" in (await tab.observer.look()).text
    await tab.page.evaluate("f.remove()")
    text = (await tab.observer.look()).text
    assert "Brief" not in text
    assert "Stays" in text


async def test_a_look_during_navigation_sees_one_page_or_the_other(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<button>Old</button>"))
    await tab.observer.look()
    next_page = site.html("<button>New</button>", "/next")
    for _ in range(5):
        with suppress(Error):  # the page that is asked may be gone before it can answer
            await tab.page.evaluate("url => { location = url }", next_page)
        names = {node.name for node in (await tab.observer.look()).elements}
        assert names <= {"Old", "New"}
    await tab.page.wait_for_url("**/next")
    assert {node.name for node in (await tab.observer.look()).elements} == {"New"}


async def test_a_page_that_hangs_is_told_within_the_limit(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<button>One</button>"))
    world = IsolatedWorld(tab.page, limit=0.5)
    eyes = PageObserver(tab.page, ElementIds(), world)
    await eyes.look()
    busy = asyncio.ensure_future(tab.page.evaluate("{ const end = Date.now() + 1500; while (Date.now() < end); }"))
    with pytest.raises(PageError, match="does not answer"):
        while not busy.done():
            await eyes.look()
    await busy
    assert (await eyes.look()).elements


async def test_two_worlds_of_one_page_share_ids(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<button>One</button>"))
    counter = ElementIds()
    first = (await PageObserver(tab.page, counter).look()).elements
    second = (await PageObserver(tab.page, counter).look()).elements
    assert [node.id for node in first] == [node.id for node in second]
