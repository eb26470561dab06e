"""A panel of a home: switches by room, a temperature that moves by steps up to a limit, scenes, timers, consumption."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, switch
from gym.parts import open_part, write_parts
from gym.site import Form, Site
from gym.words import Draw

LEAST, MOST = 16, 24


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/rooms": "rooms", "/scenes": "scenes", "/timers": "timers", "/energy": "energy"}
    site = Site(draw, paths | {"/members": "members"})
    rooms = draw.sample(draw.all("room_names"), 4)
    gadgets = {room: draw.sample(draw.all("gadgets"), 3) for room in rooms}
    on = {f"{room}|{each}": draw.chance(0.5) for room in rooms for each in gadgets[room]}
    warm = {room: draw.number(LEAST + 1, MOST - 1) for room in rooms}
    damp = {room: f"{each} %" for room, each in zip(rooms, draw.sample(range(31, 79), 4), strict=True)}
    used = dict(zip(draw.all("gadgets"), draw.sample(range(12, 960), len(draw.all("gadgets"))), strict=True))
    scenes = draw.all("scene_names")
    tabbed = draw.chance(0.5)
    timers = {
        each: f"{draw.number(5, 9):02}:{draw.pick(('05', '20', '45'))}" for each in draw.sample(draw.all("gadgets"), 2)
    }
    full = draw.words(
        f"{MOST} degrees is the limit.", f"Mehr als {MOST} Grad geht nicht.", f"{MOST} degrés au maximum.",
        f"{MOST} grados como máximo.", f"最高{MOST}度。",
    )  # fmt: skip
    site.data = {"on": on, "warm": warm, "scene": "", "timers": timers}

    def write_room(ui: Ui, room: str) -> str:
        switches = [ui.switch(each, "flip", on[f"{room}|{each}"], id=f"{room}|{each}") for each in gadgets[room]]
        told = ui.facts({w("humidity"): damp[room], w("battery"): "81 %"})
        moves = [ui.button(w(key), "move", room=room, by=by) for key, by in (("colder", -1), ("warmer", 1))]
        warmth = f"{w('warmth')}: {warm[room]} °C"
        return "".join((*switches, told, f"<table><tr><td>{warmth}</td><td>{' '.join(moves)}</td></tr></table>"))

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({room: f"{warm[room]} °C" for room in rooms})]

    @site.page("/rooms")
    def show_rooms(ui: Ui) -> Sequence[str]:
        if tabbed:
            parts = {room: write_room(ui, room) for room in rooms}
            return [ui.heading(site.sections["/rooms"]), write_parts(ui, parts, "/rooms")]
        rows = [Row([room, str(len(gadgets[room]))], f"/room/{at}") for at, room in enumerate(rooms)]
        return [ui.heading(site.sections["/rooms"]), ui.table([w("name"), w("gadget")], rows)]

    @site.page("/room/{at}")
    def room_page(ui: Ui, at: str) -> Sequence[str]:
        return [ui.heading(rooms[int(at)]), write_room(ui, rooms[int(at)])]

    @site.page("/scenes")
    def show_scenes(ui: Ui) -> Sequence[str]:
        rows = [Row([each], actions=[Action(w("start"), "scene", icon="▶")], key=each) for each in scenes]
        return [ui.heading(site.sections["/scenes"]), ui.table([w("name")], rows)]

    @site.page("/timers")
    def show_timers(ui: Ui) -> Sequence[str]:
        rows = [
            Row([each, time], actions=[Action(w("remove"), "stop", True, "✕")], key=each)
            for each, time in timers.items()
        ]
        fields = [ui.choose("gadget", w("gadget"), draw.all("gadgets")), ui.field("time", w("time"))]
        table = ui.table([w("gadget"), w("time")], rows)
        return [ui.heading(site.sections["/timers"]), table, ui.form("plan", fields, w("plan"))]

    @site.page("/energy")
    def energy(ui: Ui) -> Sequence[str]:
        rows = [Row([each, f"{watts} Wh"]) for each, watts in used.items()]
        return [ui.heading(site.sections["/energy"]), ui.table([w("gadget"), w("used")], rows)]

    @site.act("flip")
    def flip(form: Form) -> None:
        on[form["id"]] = not on[form["id"]]

    @site.act("move")
    def move(form: Form) -> None:
        wanted = warm[form["room"]] + int(form["by"])
        site.notice = full if wanted > MOST else ""
        warm[form["room"]] = min(max(wanted, LEAST), MOST)

    @site.act("scene")
    def play(form: Form) -> None:
        site.data["scene"] = form["id"]
        site.notice = f"{form['id']} {w('running')}"

    @site.act("plan")
    def plan(form: Form) -> None:
        if site.require(form, "time"):
            timers[form["gadget"]] = form["time"].strip()
            site.notice = w("added")

    @site.act("stop")
    def stop(form: Form) -> None:
        del timers[form["id"]]
        site.notice = w("deleted")

    kind = draw.pick(draw.kinds())
    room, second = draw.sample(rooms, 2)
    gadget, gadget2, held = draw.pick(gadgets[room]), draw.pick(gadgets[second]), draw.pick(list(timers))
    if kind in ("on", "off"):
        on[f"{room}|{gadget}"] = kind == "off"
    begin = warm[room] = MOST - 1 if kind == "absent" else warm[room]
    target = draw.pick([each for each in range(LEAST, MOST + 1) if 0 < abs(each - begin) < 4])
    scene, greedy = draw.pick(scenes), max(used, key=lambda each: used[each])
    planned = draw.pick([each for each in draw.all("gadgets")[1:] if each not in timers])
    time = f"{draw.number(6, 21):02}:{draw.pick(('10', '30', '50'))}"

    def enter(room: str) -> Iterator[Step]:
        yield click(site.sections["/rooms"])
        if tabbed:
            yield from open_part(site, room, first=room == rooms[0])
        else:
            yield click(room)

    def press(key: str, times: int) -> Iterator[Step]:
        for at in range(times):
            if at and tabbed:
                yield from open_part(site, room, first=room == rooms[0])
            yield click(w(key), row=room if tabbed and site.style["parts"] == "open" else "")

    def steps() -> Iterator[Step]:
        if kind == "scene":
            yield click(site.sections["/scenes"])
            yield click(w("start"), row=scene)
            yield done(f"{scene} {w('running')}", see=w("running"))
        elif kind == "most":
            yield click(site.sections["/energy"])
            yield done(f"{greedy}: {used[greedy]} Wh", see=greedy)
        elif kind in ("timer", "stop"):
            yield click(site.sections["/timers"])
            if kind == "stop":
                yield click(w("remove"), row=held, sure=True)
                yield done(f"{held}: {w('deleted')}", see=w("deleted"))
            yield choose(w("gadget"), planned)
            yield fill(w("time"), time)
            yield click(w("plan"))
            yield done(f"{w('added')} {planned}, {time}", see=w("added"))
        yield from enter(room)
        if kind == "damp":
            yield done(f"{room}: {damp[room]}", see=damp[room])
        elif kind == "absent":
            yield from press("warmer", MOST + 1 - begin)
            yield give_up(f"{room}: {full}", see=full, why="the site does not go higher")
        elif kind == "warm":
            yield from press("warmer" if target > begin else "colder", abs(target - begin))
            yield done(f"{room}: {target} °C", see=f"{target} °C")
        yield switch(gadget)
        if kind == "pair":
            yield from enter(second)
            yield switch(gadget2)
        yield done(f"{w('saved')} {room}, {gadget}")

    def want(data: dict[str, Any]) -> None:
        if kind in ("on", "off", "pair"):
            data["on"][f"{room}|{gadget}"] ^= True
        if kind == "pair":
            data["on"][f"{second}|{gadget2}"] ^= True
        elif kind in ("warm", "absent"):
            data["warm"][room] = MOST if kind == "absent" else target
        elif kind == "scene":
            data["scene"] = scene
        elif kind == "timer":
            data["timers"][planned] = time
        elif kind == "stop":
            del data["timers"][held]

    if kind in ("on", "off", "pair"):
        site.style.use(parts=draw.pick(("tabs", "folds", "pages")))
    values = {"room": room, "room2": second, "gadget": planned if kind == "timer" else gadget, "gadget2": gadget2}
    goal = draw.goal(kind, **values, warm=target, scene=scene, time=time, held=held, absent=MOST + 4)
    answers = {"damp": [damp[room]], "most": [greedy]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site
