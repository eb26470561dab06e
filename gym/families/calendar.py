"""A calendar: appointments on days, by month or as a list; dates have one form and are refused in another."""

from collections.abc import Iterator, Sequence
from datetime import date

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    site = Site(draw, {"/": "home", "/dates": "s_calendar", "/new": "add", "/people": "s_people", "/help": "help"})
    title, day, time = draw.word("title"), draw.word("date"), draw.word("time")
    *titles, absent = draw.some("events", draw.number(5, 12))
    days = draw.days(len(titles))
    hours = [f"{draw.number(8, 18):02}:{draw.pick(('00', '15', '30'))}" for _ in titles]
    dates = {f"e{at}": {"what": what, "day": days[at], "time": hours[at]} for at, what in enumerate(titles)}
    site.data = {"dates": dates}
    edit, drop = draw.word("edit"), draw.word("delete")

    def fields(ui: Ui, one: dict[str, str]) -> list[str]:
        named = {"what": title, "day": day, "time": time}
        return [
            ui.field(key, label, one.get(key, ""), "date" if key == "day" else "text") for key, label in named.items()
        ]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        first = min(dates.values(), key=lambda one: one["day"], default={"what": "–", "day": "–"})
        return [ui.heading(draw.word("welcome")), ui.facts({first["what"]: first["day"]})]

    @site.page("/dates")
    def calendar(ui: Ui) -> Sequence[str]:
        actions = (Action(edit, "edit", icon="✎"), Action(drop, "drop", True, "✕"))
        ranked = sorted(dates.items(), key=lambda one: one[1]["day"])
        rows = [Row([one["what"], one["day"], one["time"]], f"/date/{key}", actions, key) for key, one in ranked]
        return [ui.heading(site.sections["/dates"]), ui.listing([title, day, time], rows, "/dates", size=7)]

    @site.page("/date/{id}")
    def show(ui: Ui, id: str) -> Sequence[str]:
        one = dates[id]
        return [ui.heading(one["what"]), ui.form("save", fields(ui, one), draw.word("save"), id=id)]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/new"]), ui.form("save", fields(ui, {}), draw.word("save"), id="new")]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler")[:2])]

    @site.act("edit")
    def go(form: Form) -> str:
        return f"/date/{form['id']}"

    @site.act("drop")
    def remove(form: Form) -> str:
        del dates[form["id"]]
        site.notice = draw.word("deleted")
        return "/dates"

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "what", "day", "time", bad_date__day=not is_date(form.get("day", ""))):
            return None
        dates[form["id"]] = {key: form[key].strip() for key in ("what", "day", "time")}
        site.notice = draw.word("saved")
        return "/dates"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(dates))
    one = dates[key]
    fresh = next(each for each in draw.days(20) if each not in days)
    spoken = one["day"] if kind == "day" else write_day(draw, fresh)
    slips = spoken != fresh and kind in ("add", "move") and draw.chance(0.4)
    at = f"{draw.number(8, 18):02}:45"
    seeks, opens = draw.chance(0.3), draw.chance(0.5)

    def save_form() -> Iterator[Step]:
        if slips:
            yield fill(day, spoken)
            yield click(draw.word("save"))
        yield fill(day, fresh, why="the date has to be written as YYYY-MM-DD" if slips else "")
        if kind == "add" and not slips:
            yield fill(time, at)
        yield click(draw.word("save"))
        yield done(f"{absent if kind == 'add' else one['what']}: {fresh}", see=draw.word("saved"))

    def steps() -> Iterator[Step]:
        if kind == "add":
            yield click(site.sections["/new"])
            yield fill(title, absent)
            if slips:
                yield fill(time, at)
            yield from save_form()
        yield click(site.sections["/dates"])
        if kind == "absent":
            yield search(absent)
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        if seeks:
            yield search(one["day"] if kind == "day" else one["what"])
        if kind == "when":
            yield done(f"{one['what']}: {one['day']}, {one['time']}", see=one["day"])
        elif kind == "day":
            yield done(f"{one['day']}: {one['what']}", see=one["what"])
        elif kind == "drop":
            yield click(drop, row=one["what"], sure=True)
            yield done(f"{draw.word('deleted')} {one['what']}", see=draw.word("deleted"))
        yield click(one["what"]) if opens else click(edit, row=one["what"])
        yield from save_form()

    def want(data: dict[str, dict[str, dict[str, str]]]) -> None:
        if kind == "drop":
            del data["dates"][key]
        elif kind == "add":
            data["dates"]["new"] = {"what": absent, "day": fresh, "time": at}
        elif kind == "move":
            data["dates"][key]["day"] = fresh

    said = absent if kind in ("add", "absent") else one["what"]
    answers = {"when": [one["day"]], "day": [one["what"]]}.get(kind, [])
    goal = draw.goal(kind, what=said, day=spoken, time=at)
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site


def is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text.strip()).isoformat() == text.strip()
    except ValueError:
        return False


def write_day(draw: Draw, day: str) -> str:
    """A day as people write it."""
    year, month, number = day.split("-")
    if draw.language == "de":
        return draw.pick((day, f"{number}.{month}.{year}"))
    if draw.language == "zh":
        return draw.pick((day, f"{year}年{int(month)}月{int(number)}日"))
    return draw.pick((day, f"{number}/{month}/{year}")) if draw.language in ("fr", "es") else day
