"""What a site knows and sends: letters to switch, cookies to choose in one form, a password, two steps, sessions."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, switch, tick
from gym.parts import open_part, write_parts
from gym.site import Form, Site
from gym.words import Draw

SHORTEST = 10


def make(draw: Draw) -> Site:
    w = draw.word
    joined = draw.chance(0.5)
    apart = {
        "/letters": "letters",
        "/cookies": "cookies_",
        "/signing": "signing",
        "/devices": "devices_",
        "/copies": "copies",
    }
    paths = {"/": "home", "/shop": "s_goods"} | ({"/all": "s_settings"} if joined else apart) | {"/help": "help"}
    site = Site(draw, paths)
    kind = draw.pick(draw.kinds())
    letters, cookies, methods, formats = (
        draw.all(key) for key in ("letter_names", "cookie_names", "methods", "formats")
    )
    on = {each: draw.chance(0.6) for each in letters}
    days = dict(zip(draw.all("device_names"), draw.sample(draw.days(5), 5), strict=True))
    wait, old = draw.number(5, 30), f"{draw.pick(('sun', 'sea', 'owl'))}{draw.digits(4)}"
    site.keeps_entries = False
    site.data = {
        "letters": on,
        "cookies": [cookies[0], cookies[2]],
        "password": old,
        "two": "",
        "gone": [],
        "copies": [],
    }

    def write_letters(ui: Ui) -> str:
        return "".join(ui.switch(each, "letter", on[each], id=each) for each in letters)

    def write_cookies(ui: Ui) -> str:
        held = site.data["cookies"]
        boxes = [ui.check(f"c{at}", each, each in held) for at, each in enumerate(cookies) if at]
        return ui.text(cookies[0]) + ui.form("cookies", boxes, w("save_choice"))

    def write_signing(ui: Ui) -> str:
        fields = [ui.field("old", w("old_pw"), kind="password"), ui.field("new", w("new_pw"), kind="password")]
        steps_ = ui.form("two", [ui.choose("method", w("method"), methods)], w("turn_on"))
        state = ui.text(f"{w('is_on')} {site.data['two']}") if site.data["two"] else steps_
        return ui.form("password", fields, w("change_pw")) + ui.heading(w("two_step"), 3) + state

    def write_devices(ui: Ui) -> str:
        end = [Action(w("sign_off"), "kick", True)]
        rows = [Row([each, day], actions=end, key=each) for each, day in days.items() if each not in site.data["gone"]]
        return ui.table([w("device"), w("last_seen")], rows)

    def write_copies(ui: Ui) -> str:
        return ui.form("copy", [ui.choose("format", w("format"), formats)], w("send_copy"))

    writers = dict(
        zip(apart.items(), (write_letters, write_cookies, write_signing, write_devices, write_copies), strict=True)
    )

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/all")
    def everything(ui: Ui) -> Sequence[str]:
        parts = {w(key): write(ui) for (_, key), write in writers.items()}
        return [ui.heading(site.sections["/all"]), write_parts(ui, parts, "/all")]

    @site.page("/{path}")
    def one(ui: Ui, path: str) -> Sequence[str]:
        found = [(key, write) for (place, key), write in writers.items() if place == f"/{path}" and not joined]
        return [part for key, write in found for part in (ui.heading(w(key)), write(ui))] or ui.plain_page(f"/{path}")

    @site.act("letter")
    def letter_act(form: Form) -> None:
        on[form["id"]] = not on[form["id"]]

    @site.act("cookies")
    def cookies_act(form: Form) -> None:
        site.data["cookies"] = [cookies[0], *(each for at, each in enumerate(cookies) if f"c{at}" in form)]
        site.notice = w("saved")

    @site.act("password")
    def password_act(form: Form) -> None:
        weak = len(form["new"]) < SHORTEST
        if site.require(form, "old", "new", required__old=form["old"] != site.data["password"], short_pw__new=weak):
            site.data["password"] = form["new"]
            site.notice = w("saved")

    @site.act("two")
    def two_act(form: Form) -> None:
        site.data["two"] = form["method"]
        site.notice = f"{w('is_on')} {form['method']}"

    @site.act("kick")
    def kick_act(form: Form) -> None:
        site.data["gone"].append(form["id"])
        site.notice = w("saved")

    @site.act("copy")
    def copy_act(form: Form) -> None:
        site.data["copies"].append(form["format"])
        site.notice = f"{w('within')} {wait} {w('days_word')}"

    letter = draw.pick(letters)
    on[letter] = kind == "unsub"
    cookie, method, format = cookies[draw.pick((1, 3))], draw.pick(methods[1:]), draw.pick(formats[1:])
    new, weak = (
        f"{draw.pick(('River', 'Stone', 'Maple'))}-{draw.digits(6)}",
        f"{draw.pick(('cat', 'fox'))}{draw.digits(3)}",
    )
    device = min(days, key=lambda each: days[each]) if kind == "oldest" else draw.pick(list(days))
    part = {"unsub": 0, "sub": 0, "cookie": 1, "two": 2, "pw": 2, "short": 2, "kick": 3, "oldest": 3, "copy": 4}[kind]

    def enter() -> Iterator[Step]:
        key = list(apart.values())[part]
        if joined:
            yield click(site.sections["/all"])
            yield from open_part(site, w(key), first=not part)
        else:
            yield click(w(key))

    def steps() -> Iterator[Step]:
        yield from enter()
        if kind in ("unsub", "sub"):
            yield switch(letter)
            yield done(f"{w('saved')} {letter}")
        elif kind == "cookie":
            yield tick(cookie)
            yield tick(cookies[2], why=f"{cookies[2]} is on and not wanted")
            yield click(w("save_choice"))
            yield done(f"{w('saved')} {cookies[0]}, {cookie}", see=w("saved"))
        elif kind == "two":
            yield choose(w("method"), method)
            yield click(w("turn_on"))
            yield done(f"{w('is_on')} {method}", see=w("is_on"))
        elif kind in ("pw", "short"):
            yield fill(w("old_pw"), old)
            yield fill(w("new_pw"), weak if kind == "short" else new)
            yield click(w("change_pw"))
            if kind == "short":
                yield give_up(f"{w('new_pw')}: {w('short_pw')}", see=w("short_pw"), why="the site refuses it")
            yield done(f"{w('saved')} {w('new_pw')}", see=w("saved"))
        elif kind == "copy":
            yield choose(w("format"), format)
            yield click(w("send_copy"))
            yield done(f"{w('within')} {wait} {w('days_word')}", see=w("within"))
        yield click(
            w("sign_off"), row=device, sure=True, why=f"{days[device]} is the oldest" if kind == "oldest" else ""
        )
        yield done(f"{device}: {w('saved')}", see=w("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("unsub", "sub"):
            data["letters"][letter] = kind == "sub"
        elif kind == "cookie":
            data["cookies"] = [cookies[0], cookie]
        elif kind == "two":
            data["two"] = method
        elif kind == "pw":
            data["password"] = new
        elif kind in ("kick", "oldest"):
            data["gone"].append(device)
        elif kind == "copy":
            data["copies"].append(format)

    values = {"letter": letter, "cookie": cookie, "method": method, "format": format, "device": device}
    goal = draw.goal(kind, **values, old=old, new=new, weak=weak)
    site.task(goal, steps, want=want, ending="give_up" if kind == "short" else "done")
    return site
