"""An issue tracker of a project: filters by state and label, boxes for closing several at once, votes, hand-over."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search, tick
from gym.parts import set_view, write_view
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/issues": "issues", "/new": "new_issue", "/milestones": "milestones", "/charts": "reports"}
    site = Site(draw, paths | {"/team": "team"}, dressed="no")
    *names, fresh = draw.sample(draw.all("names"), draw.number(9, 12))
    labels, people = draw.all("labels"), draw.people(4)
    votes = draw.sample(range(1, 60), len(names))
    versions = [f"{draw.number(2, 9)}.{draw.number(0, 9)}" for _ in names]
    kinds = [draw.pick(labels) for _ in names]
    states, either = ["open", "closed"], {"open": w("open_state"), "closed": w("closed_state")}
    issues: dict[str, dict[str, Any]] = {
        name: {
            "state": "closed" if at < 3 else "open",
            "label": kinds[at],
            "who": draw.pick(people),
            "votes": votes[at],
        }
        for at, name in enumerate(names)
    }
    order = draw.sample(names, len(names))
    site.keeps_entries = False
    site.data = {"issues": issues}
    everything, select = w("everything"), w("mark")

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        counts = {either[state]: str(sum(each["state"] == state for each in issues.values())) for state in states}
        return [ui.heading(site.brand), ui.facts(counts), ui.text(draw.all("filler")[2])]

    @site.page("/issues")
    def listing(ui: Ui) -> Sequence[str]:
        state, label = ui.query.get("state", either["open"]), ui.query.get("label", everything)
        words = ui.query.get("q", "").casefold()
        shown = [
            name
            for name in order
            if (either[issues[name]["state"]] == state or words)
            and label in (everything, issues[name]["label"])
            and words in name.casefold()
        ]
        rows: list[Row] = []
        for name in shown:
            box = f'<input type="checkbox" name="mark{order.index(name)}" value="{name}" aria-label="{w("mark")}">'
            cells = [name, issues[name]["label"], issues[name]["who"], str(issues[name]["votes"])]
            rows.append(Row(cells, f"/issue/{list(issues).index(name)}", mark=box))
        views = write_view(ui, "/issues", "state", w("status"), list(either.values()))
        views += write_view(ui, "/issues", "label", w("label"), [everything, *labels])
        columns = [w("title"), w("label"), w("assignee"), w("votes")]
        count = ui.text(f"{len(shown)} {w('results')}")
        form = ui.form("close", [ui.table(columns, rows)], w("close_marked")) if rows else ui.table(columns, rows)
        return [ui.heading(site.sections["/issues"]), ui.search("/issues"), views, count, form]

    @site.page("/issue/{at}")
    def issue(ui: Ui, at: str) -> Sequence[str]:
        name = list(issues)[int(at)]
        one = issues[name]
        version = versions[names.index(name)] if name in names else "–"
        facts = {
            w("status"): either[one["state"]],
            w("label"): one["label"],
            w("votes"): str(one["votes"]),
            w("milestone"): version,
        }
        hand = ui.form("assign", [ui.choose("who", w("assignee"), people, one["who"])], w("assign"), id=name)
        press = (
            ui.button(w("reopen"), "reopen", id=name)
            if one["state"] == "closed"
            else ui.button(w("vote"), "vote", id=name)
        )
        return [ui.heading(name), ui.facts(facts), press, hand]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [
            ui.field("name", w("title")),
            ui.choose("label", w("label"), labels),
            ui.field("steps", w("steps_"), kind="textarea"),
        ]
        return [ui.heading(site.sections["/new"]), ui.form("file", fields, w("send"))]

    @site.act("close")
    def close(form: Form) -> None:
        for key, name in form.items():
            if key.startswith("mark"):
                issues[name]["state"] = "closed"
        site.notice = f"{sum(key.startswith('mark') for key in form)} {w('closed_state')}"

    @site.act("assign")
    def assign(form: Form) -> None:
        issues[form["id"]]["who"] = form["who"]
        site.notice = w("saved")

    @site.act("vote")
    def vote(form: Form) -> None:
        issues[form["id"]]["votes"] += 1
        site.notice = w("added")

    @site.act("reopen")
    def reopen(form: Form) -> None:
        issues[form["id"]]["state"] = "open"
        site.notice = w("saved")

    @site.act("file")
    def file(form: Form) -> str | None:
        if not site.require(form, "name", "steps"):
            return None
        issues[form["name"].strip()] = {"state": "open", "label": form["label"], "who": people[0], "votes": 0}
        order.append(form["name"].strip())
        site.notice = w("added")
        return "/issues"

    kind = draw.pick(draw.kinds())
    opened = [name for name in order if issues[name]["state"] == "open"]
    one, two, three = draw.sample(opened, 3)
    old, text = draw.pick(names[:3]), draw.pick(draw.all("sentences"))
    who = draw.pick([each for each in people if each != issues[one]["who"]])
    label = draw.pick(labels[1:]) if kind == "file" else draw.pick([issues[name]["label"] for name in opened])
    count = sum(issues[name]["label"] == label for name in opened)
    loved = max(opened, key=lambda name: issues[name]["votes"])
    marked, seeks = {"bulk": [one, two], "three": [one, two, three]}.get(kind, []), draw.chance(0.4)

    def steps() -> Iterator[Step]:
        if kind == "file":
            yield click(site.sections["/new"])
            yield fill(w("title"), fresh)
            yield choose(w("label"), label)
            yield fill(w("steps_"), text)
            yield click(w("send"))
            yield done(f"{w('added')} {fresh}", see=w("added"))
        yield click(site.sections["/issues"])
        if kind == "count":
            yield from set_view(site, w("label"), label)
            yield done(f"{label}: {count} {w('results')}", see=f"{count} {w('results')}")
        elif kind == "loved":
            yield done(f"{loved}: {issues[loved]['votes']} {w('votes')}", see=loved)
        elif kind == "absent":
            yield search(fresh)
            yield give_up(f"{fresh}: {w('nothing_found')}", see=w("nothing_found"))
        elif marked:
            for each in marked:
                yield tick(select, row=each)
            yield click(w("close_marked"))
            yield done(f"{', '.join(marked)}: {w('closed_state')}", see=f"{len(marked)} {w('closed_state')}")
        if kind == "again" and not seeks:
            yield from set_view(site, w("status"), either["closed"], why="it was closed")
        elif seeks:
            yield search(old if kind == "again" else one)
        yield click(old if kind == "again" else one)
        if kind == "again":
            yield click(w("reopen"))
            yield done(f"{old}: {either['open']}", see=w("saved"))
        elif kind == "when":
            yield done(f"{one}: {w('milestone')} {versions[names.index(one)]}", see=versions[names.index(one)])
        elif kind == "vote":
            yield click(w("vote"))
            yield done(f"{one}: {w('added')} {issues[one]['votes'] + 1}", see=w("added"))
        yield choose(w("assignee"), who)
        yield click(w("assign"))
        yield done(f"{one}: {who}. {w('saved')}", see=w("saved"))

    def want(data: dict[str, Any]) -> None:
        for each in marked:
            data["issues"][each]["state"] = "closed"
        if kind == "file":
            data["issues"][fresh] = {"state": "open", "label": label, "who": people[0], "votes": 0}
        elif kind == "give":
            data["issues"][one]["who"] = who
        elif kind == "again":
            data["issues"][old]["state"] = "open"
        elif kind == "vote":
            data["issues"][one]["votes"] += 1

    goal = draw.goal(kind, one=one, two=two, three=three, who=who, label=label, fresh=fresh, text=text, old=old)
    answers = {"count": [str(count)], "loved": [loved], "when": [versions[names.index(one)]]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site
