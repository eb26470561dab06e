"""Mail: an inbox with stars, archive and bin, messages to read, answer and write."""

from collections.abc import Iterator, Sequence

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, give_up, search, star
from gym.site import Form, Site
from gym.words import Draw

FILE = ("File away; Put away", "Archivieren; Ablegen", "Archiver; Classer", "Archivar; Guardar", "移入归档; 收起")
STAR = ("Star; Flag", "Markieren; Stern", "Suivre; Étoile", "Destacar; Estrella", "加星标; 标记")


def make(draw: Draw) -> Site:
    paths = {"/": "s_mail", "/write": "s_compose", "/archive": "s_archive", "/trash": "s_trash", "/people": "s_people"}
    site = Site(draw, paths)
    kind = draw.pick(draw.kinds())
    subjects = draw.some("subjects", draw.number(5, 15))
    absent = subjects.pop()
    people = draw.people(len(subjects))
    file, drop, reply = draw.words(*FILE), draw.word("delete"), draw.word("reply")
    boxes: dict[str, list[str]] = {"inbox": [f"m{at}" for at in range(len(subjects))], "archive": [], "trash": []}
    site.data = {**boxes, "starred": [], "sent": []}
    mails = {f"m{at}": (who, subject) for at, (who, subject) in enumerate(zip(people, subjects, strict=True))}
    codes = {key: draw.digits(6) for key in mails}
    columns = [draw.word("title"), draw.word("sender")]

    def rows(ui: Ui, box: str, *actions: Action) -> list[Row]:
        marked = site.data["starred"]
        return [
            Row(
                [mails[key][1], mails[key][0]],
                f"/mail/{key}",
                actions,
                key,
                ui.star("star", key in marked, draw.words(*STAR), id=key),
            )
            for key in site.data[box]
        ]

    @site.page("/")
    def inbox(ui: Ui) -> Sequence[str]:
        actions = (Action(file, "file", icon="▣"), Action(drop, "drop", True, "🗑"))
        return [ui.heading(site.sections["/"]), ui.listing(columns, rows(ui, "inbox", *actions), "/", size=9)]

    @site.page("/mail/{id}")
    def read(ui: Ui, id: str) -> Sequence[str]:
        who, subject = mails[id]
        answer = ui.form("answer", [ui.field("text", draw.word("message"), kind="textarea")], reply, id=id)
        said = draw.all("sentences")[len(subject) % len(draw.all("sentences"))]
        parts = [ui.heading(subject), ui.facts({columns[1]: who}), ui.text(said, f"{draw.word('number')}: {codes[id]}")]
        return [*parts, ui.button(file, "file", id=id), ui.button(drop, "drop", sure=True, id=id), answer]

    @site.page("/write")
    def write(ui: Ui) -> Sequence[str]:
        fields = [ui.field("to", draw.word("recipient")), ui.field("subject", draw.word("title"))]
        fields.append(ui.field("text", draw.word("message"), kind="textarea"))
        return [ui.heading(site.sections["/write"]), ui.form("send", fields, draw.word("send"))]

    @site.page("/{box}")
    def other(ui: Ui, box: str) -> Sequence[str]:
        listed = ui.text(*people) if box == "people" else ui.table(columns, rows(ui, box))
        return [ui.heading(site.sections[f"/{box}"]), listed]

    @site.act("file")
    def put_away(form: Form) -> str:
        return move(form["id"], "archive")

    @site.act("drop")
    def throw_away(form: Form) -> str:
        return move(form["id"], "trash")

    def move(key: str, box: str) -> str:
        site.data["inbox"].remove(key)
        site.data[box].append(key)
        site.notice = f"{mails[key][1]} → {site.sections[f'/{box}']}"
        return "/"

    @site.act("star")
    def mark(form: Form) -> None:
        marked: list[str] = site.data["starred"]
        marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

    @site.act("send")
    def send(form: Form) -> str:
        if not site.require(form, "to", "subject", "text"):
            return "/write"
        site.data["sent"].append([form["to"].strip(), form["subject"].strip(), form["text"].strip()])
        site.notice = draw.word("sent")
        return "/"

    @site.act("answer")
    def answer(form: Form) -> str | None:
        if not site.require(form, "text"):
            return None
        site.data["sent"].append([form["id"], form["text"].strip()])
        site.notice = draw.word("sent")
        return "/"

    key = draw.pick(list(mails))
    who, subject = mails[key]
    text, fresh = draw.pick(draw.all("sentences")), draw.pick(draw.all("tasks"))
    seeks, opens = draw.chance(0.3), draw.chance(0.4)
    said = {"absent": absent, "write": fresh}.get(kind, subject)

    def steps() -> Iterator[Step]:
        if kind == "write":
            yield click(site.sections["/write"])
            yield fill(draw.word("recipient"), who)
            yield fill(draw.word("title"), fresh)
            yield fill(draw.word("message"), text)
            yield click(draw.word("send"))
            yield done(f"{draw.word('sent')} {who}: {fresh}", see=draw.word("sent"))
            return
        if seeks or kind == "absent":
            yield search(said)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "who":
            yield done(f"{subject}: {who}", see=who)
        elif kind == "star":
            yield star(draw.words(*STAR), subject)
            yield done(f"★ {subject}")
        elif kind in ("code", "answer"):
            yield click(subject)
            if kind == "code":
                yield done(codes[key], see=codes[key])
            yield fill(draw.word("message"), text)
            yield click(reply)
            yield done(f"{draw.word('sent')} {text}", see=draw.word("sent"))
        label, box = (file, "archive") if kind == "archive" else (drop, "trash")
        if opens:
            yield click(subject)
            yield click(label, sure=kind == "delete")
        else:
            yield click(label, row=subject, sure=kind == "delete")
        yield done(f"{subject} → {site.sections[f'/{box}']}")

    def want(data: dict[str, list[object]]) -> None:
        if kind in ("archive", "delete"):
            data["inbox"].remove(key)
            data["archive" if kind == "archive" else "trash"].append(key)
        elif kind == "star":
            data["starred"].append(key)
        elif kind in ("write", "answer"):
            data["sent"].append([who, fresh, text] if kind == "write" else [key, text])

    answers = {"who": [who], "code": [codes[key]]}.get(kind, [])
    ending = "give_up" if kind == "absent" else "done"
    goal = draw.goal(kind, who=who, subject=said, text=text)
    site.task(goal, steps, want=want, answer=answers, ending=ending)
    return site
