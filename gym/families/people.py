"""An administration's table: many people on several pages, with search, forms and names that are alike."""

from collections.abc import Iterator, Sequence

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    site = Site(draw, {"/": "home", "/people": "s_people", "/reports": "s_reports", "/settings": "s_settings"})
    name, unit, mail, phone = (draw.word(key) for key in ("name", "department", "email", "phone"))
    edit, drop, new = draw.word("edit"), draw.word("delete"), draw.word("add")
    *listed, stranger = draw.people(draw.number(8, 34))
    units = draw.some("departments", 5)
    people = {
        f"p{at}": {"name": who, "unit": draw.pick(units), "mail": draw.email(who), "phone": f"0{draw.digits(6)}"}
        for at, who in enumerate(listed)
    }
    site.data = {"people": people}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({site.sections["/people"]: str(len(people))})]

    @site.page("/people")
    def table(ui: Ui) -> Sequence[str]:
        actions = (Action(edit, "edit", icon="✎"), Action(drop, "drop", True, "🗑"))
        rows = [Row([each["name"], each["unit"]], f"/person/{key}", actions, key) for key, each in people.items()]
        listing = ui.listing([name, unit], rows, "/people", size=10)
        return [ui.heading(site.sections["/people"]), ui.link(new, "/new"), listing]

    @site.page("/person/{id}")
    def person(ui: Ui, id: str) -> Sequence[str]:
        each = people[id]
        facts = {unit: each["unit"], mail: each["mail"], phone: each["phone"]}
        return [ui.heading(each["name"]), ui.facts(facts), ui.link(edit, f"/edit/{id}")]

    @site.page("/edit/{id}")
    def change(ui: Ui, id: str) -> Sequence[str]:
        each = people[id]
        fields = [ui.choose("unit", unit, units, each["unit"]), ui.field("mail", mail, each["mail"])]
        fields.append(ui.field("phone", phone, each["phone"]))
        return [ui.heading(f"{edit}: {each['name']}"), ui.form("save", fields, draw.word("save"), id=id)]

    @site.page("/new")
    def create(ui: Ui) -> Sequence[str]:
        fields = [ui.field("name", name), ui.choose("unit", unit, units)]
        return [ui.heading(new), ui.form("create", fields, draw.word("save"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler")[:3])]

    @site.act("edit")
    def go(form: Form) -> str:
        return f"/edit/{form['id']}"

    @site.act("drop")
    def remove(form: Form) -> str:
        del people[form["id"]]
        site.notice = draw.word("deleted")
        return "/people"

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "mail", "phone", bad_phone__phone=not form.get("phone", "").strip().isdecimal()):
            return None
        people[form["id"]] |= {key: form[key].strip() for key in ("unit", "mail", "phone")}
        site.notice = draw.word("saved")
        return f"/person/{form['id']}"

    @site.act("create")
    def add(form: Form) -> str | None:
        if not site.require(form, "name"):
            return None
        people["new"] = {"name": form["name"].strip(), "unit": form["unit"], "mail": "", "phone": ""}
        site.notice = draw.word("added")
        return "/people"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(people))
    who = people[key]["name"]
    value = draw.pick([each for each in units if each != people[key]["unit"] or kind in ("add", "count")])
    column, label = draw.pick((("mail", mail), ("phone", phone), ("unit", unit)))
    count = sum(each["unit"] == value for each in people.values())
    seeks, opens = draw.chance(0.6), draw.chance(0.5)

    def steps() -> Iterator[Step]:
        yield click(site.sections["/people"])
        if kind == "add":
            yield click(new)
            yield fill(name, stranger)
            yield choose(unit, value)
            yield click(draw.word("save"))
            yield done(f"{draw.word('added')} {stranger}, {value}", see=draw.word("added"))
        if kind == "count":
            yield search(value)
            shown = f"{count} {draw.word('results')}"
            yield done(f"{value}: {count}", see=shown if count else draw.word("nothing_found"))
        if kind == "absent":
            yield search(stranger)
            yield give_up(f"{stranger}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        if seeks:
            yield search(who)
        if kind == "remove":
            yield click(drop, row=who, sure=True)
            yield done(f"{draw.word('deleted')} {who}", see=draw.word("deleted"))
        elif kind == "read":
            yield click(who, why=f"{label} is on the person's own page")
            yield done(f"{who}, {label}: {people[key][column]}", see=people[key][column])
        if opens:
            yield click(who)
            yield click(edit)
        else:
            yield click(edit, row=who)
        yield choose(unit, value)
        yield click(draw.word("save"))
        yield done(f"{who}: {value}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, dict[str, str]]]) -> None:
        if kind == "field":
            data["people"][key]["unit"] = value
        elif kind == "remove":
            del data["people"][key]
        elif kind == "add":
            data["people"]["new"] = {"name": stranger, "unit": value, "mail": "", "phone": ""}

    said = stranger if kind in ("absent", "add") else who
    field = unit if kind in ("field", "add") else label
    answers = {"read": [people[key][column]], "count": [str(count)]}.get(kind, [])
    goal = draw.goal(kind, who=said, value=value, field=field)
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site
