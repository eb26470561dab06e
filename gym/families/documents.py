"""Documents in folders: rename, move, share, throw away, get back; a file has to be found in its folder first."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, search
from gym.site import Form, Site
from gym.words import Draw

FOLDER = ("Folder; In", "Ordner; Ablageort", "Dossier; Emplacement", "Carpeta; Ubicación", "文件夹; 位置")
RESTORE = (
    "Restore; Put back",
    "Wiederherstellen; Zurückholen",
    "Restaurer; Récupérer",
    "Restaurar; Recuperar",
    "恢复; 还原",
)
SHARE = (
    "Share with; Visible for",
    "Freigeben für; Sichtbar für",
    "Partager avec; Visible pour",
    "Compartir con; Visible para",
    "共享给; 可见",
)


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/files": "s_files", "/trash": "s_trash", "/people": "s_people", "/settings": "s_settings"}
    site = Site(draw, paths)
    folder, restore, share = draw.words(*FOLDER), draw.words(*RESTORE), draw.words(*SHARE)
    name, drop, edit = draw.word("title"), draw.word("delete"), draw.word("edit")
    people, folders = draw.people(4), draw.some("departments", 4)
    *names, fresh, _ = draw.some("files", draw.number(7, 12))
    kind = draw.pick(draw.kinds())
    files: dict[str, dict[str, Any]] = {
        f"f{at}": {"name": each, "folder": draw.pick(folders), "shared": [], "binned": False}
        for at, each in enumerate(names)
    }
    key = draw.pick(list(files))
    one = files[key]
    one["binned"] = kind == "restore"
    site.data = {"files": files}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.search("/files"), ui.text(draw.word("filler"))]

    @site.page("/files")
    def listing(ui: Ui) -> Sequence[str]:
        words = ui.query.get("q", "").casefold()
        parts = [ui.heading(site.sections["/files"]), ui.search("/files")]
        if not words:
            return [*parts, *(f"<p>📁 {ui.link(each, f'/folder/{at}')}</p>" for at, each in enumerate(folders))]
        found = [key for key, each in files.items() if words in each["name"].casefold() and not each["binned"]]
        return [*parts, table(ui, found)]

    def table(ui: Ui, keys: Sequence[str]) -> str:
        actions = (Action(edit, "edit", icon="✎"), Action(drop, "bin", True, "🗑"))
        rows = [Row([files[key]["name"], files[key]["folder"]], f"/file/{key}", actions, key) for key in keys]
        return ui.table([name, folder], rows)

    @site.page("/folder/{at}")
    def show_folder(ui: Ui, at: str) -> Sequence[str]:
        where = folders[int(at)]
        inside = [key for key, each in files.items() if each["folder"] == where and not each["binned"]]
        return [ui.heading(where), ui.link(site.sections["/files"], "/files"), table(ui, inside)]

    @site.page("/file/{id}")
    def file(ui: Ui, id: str) -> Sequence[str]:
        each = files[id]
        fields = [ui.field("name", name, each["name"]), ui.choose("folder", folder, folders, each["folder"])]
        shown = ui.facts({share: ", ".join(each["shared"]) or "–"})
        given = ui.form("share", [ui.choose("who", share, people)], draw.word("add"), id=id)
        return [ui.heading(each["name"]), ui.form("save", fields, draw.word("save"), id=id), shown, given]

    @site.page("/trash")
    def bin(ui: Ui) -> Sequence[str]:
        rows = [
            Row([each["name"]], actions=[Action(restore, "restore")], key=key)
            for key, each in files.items()
            if each["binned"]
        ]
        return [ui.heading(site.sections["/trash"]), ui.table([name], rows)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else draw.all("filler")))]

    @site.act("edit")
    def go(form: Form) -> str:
        return f"/file/{form['id']}"

    @site.act("save")
    def save(form: Form) -> str | None:
        if site.require(form, "name"):
            files[form["id"]] |= {"name": form["name"].strip(), "folder": form["folder"]}
            site.notice = draw.word("saved")
        return None

    @site.act("share")
    def give(form: Form) -> None:
        files[form["id"]]["shared"].append(form["who"])
        site.notice = draw.word("saved")

    @site.act("bin")
    def throw(form: Form) -> str:
        files[form["id"]]["binned"] = True
        site.notice = draw.word("deleted")
        return "/files"

    @site.act("restore")
    def back(form: Form) -> None:
        files[form["id"]]["binned"] = False
        site.notice = draw.word("saved")

    who, target = draw.pick(people), draw.pick([each for each in folders if each != one["folder"]])
    opens = draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "restore":
            yield click(site.sections["/trash"], why="it was thrown away")
            yield click(restore, row=one["name"])
            yield done(f"{draw.word('saved')} {one['name']}", see=draw.word("saved"))
        yield click(site.sections["/files"])
        yield search(one["name"], why="its folder is not known")
        if kind == "where":
            yield done(f"{one['name']}: {one['folder']}", see=one["folder"])
        elif kind == "bin":
            yield click(drop, row=one["name"], sure=True)
            yield done(f"{draw.word('deleted')} {one['name']}", see=draw.word("deleted"))
        yield click(one["name"]) if opens else click(edit, row=one["name"])
        if kind == "share":
            yield choose(share, who)
            yield click(draw.word("add"))
        else:
            yield fill(name, fresh) if kind == "rename" else choose(folder, target)
            yield click(draw.word("save"))
        yield done(f"{draw.word('saved')} {one['name']}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, dict[str, Any]]]) -> None:
        file = data["files"][key]
        changes = {"rename": {"name": fresh}, "move": {"folder": target}, "bin": {"binned": True}}
        file |= changes.get(kind, {"restore": {"binned": False}, "share": {"shared": [who]}}.get(kind, {}))

    goal = draw.goal(kind, file=one["name"], fresh=fresh, folder=target, who=who)
    site.task(goal, steps, want=want, answer=[one["folder"]] if kind == "where" else [])
    return site
