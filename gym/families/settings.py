"""Settings: switches, a name, a phone number and a language on several pages; some faults are told at the field."""

from collections.abc import Iterator, Sequence

from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, switch
from gym.site import Form, Site
from gym.words import Draw

SWITCHES = (
    "Weekly summary; Sound; Dark colours; Reminders by mail; Public profile; Show birthday; Automatic updates; "
    "Location; Read receipts; Beta features; Two-step sign-in; Compact view",
    "Wochenbericht; Töne; Dunkle Farben; Erinnerung per Mail; Öffentliches Profil; Geburtstag zeigen; "
    "Automatische Updates; Standort; Lesebestätigung; Testfunktionen; Zweite Anmeldestufe; Kompakte Ansicht",
    "Résumé hebdomadaire; Sons; Couleurs sombres; Rappels par e-mail; Profil public; Afficher l’anniversaire; "
    "Mises à jour automatiques; Position; Accusés de lecture; Fonctions bêta; Double connexion; Vue compacte",
    "Resumen semanal; Sonidos; Colores oscuros; Avisos por correo; Perfil público; Mostrar cumpleaños; "
    "Actualizaciones automáticas; Ubicación; Confirmación de lectura; Funciones beta; Doble acceso; Vista compacta",
    "每周摘要; 声音; 深色模式; 邮件提醒; 公开资料; 显示生日; 自动更新; 位置; 已读回执; 测试功能; 两步验证; 紧凑视图",
)
TONGUES = ("English", "Deutsch", "Français", "Español", "中文", "Italiano", "Polski")
SHORTEST = 4
"""Letters of a state by which an answer can be told from the question."""
PAGES = ("/notifications", "/security", "/display")
DISPLAY = ("Display; Look", "Anzeige; Aussehen", "Affichage; Apparence", "Pantalla; Aspecto", "显示; 外观")


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/profile": "s_profile", "/notifications": "s_notifications", "/security": "s_security"}
    site = Site(draw, paths | {"/display": draw.words(*DISPLAY), "/help": "help"})
    labels = [each.strip() for each in SWITCHES[list_index(draw)].split(";")]
    *known, absent = draw.sample(labels, draw.number(6, 10))
    places = {label: PAGES[at % 3] for at, label in enumerate(known)}
    name, phone, language = draw.word("name"), draw.word("phone"), draw.word("language")
    site.data = {
        "on": {label: draw.chance(0.5) for label in known},
        "name": draw.person(),
        "phone": f"0{draw.digits(7)}",
        "language": draw.pick(TONGUES[:3]),
    }

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(f"{draw.word('welcome')}, {site.data['name']}"), ui.text(draw.word("filler"))]

    @site.page("/profile")
    def profile(ui: Ui) -> Sequence[str]:
        fields = [ui.field("name", name, site.data["name"]), ui.field("phone", phone, site.data["phone"])]
        fields.append(ui.choose("language", language, TONGUES, site.data["language"]))
        return [ui.heading(site.sections["/profile"]), ui.form("save", fields, draw.word("save"))]

    @site.page("/help")
    def help(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/help"]), ui.text(*draw.all("filler"))]

    @site.page("/{page}")
    def switches(ui: Ui, page: str) -> Sequence[str]:
        shown = [label for label in known if places[label] == f"/{page}"]
        made = [ui.switch(label, "turn", site.data["on"][label], label=label) for label in shown]
        return [ui.heading(site.sections[f"/{page}"]), *made]

    @site.act("turn")
    def turn(form: Form) -> None:
        site.data["on"][form["label"]] = not site.data["on"][form["label"]]

    @site.act("save")
    def save(form: Form) -> None:
        bad = not form.get("phone", "").strip().isdecimal()
        if site.require(form, "name", "phone", bad_phone__phone=bad):
            site.data |= {each: form[each].strip() for each in ("name", "phone", "language")}
            site.notice = draw.word("saved")

    states = [draw.word("off"), draw.word("on")]
    kind = draw.pick(
        [each for each in draw.kinds() if each != "state" or draw.language == "zh" or min(map(len, states)) >= SHORTEST]
    )
    if kind == "state":
        site.style.use(switch="words")
    label, second = draw.sample(known, 2)
    on = site.data["on"][label]
    fresh = draw.person()
    digits = f"0{draw.digits(8)}"
    spoken = f"{digits[:4]} {digits[4:]}" if draw.chance(0.5) else digits
    tongue = draw.pick([each for each in TONGUES if each != site.data["language"]])

    def steps() -> Iterator[Step]:
        if kind in ("name", "phone", "language"):
            yield click(site.sections["/profile"])
            if kind == "language":
                yield choose(language, tongue)
            elif kind == "name":
                yield fill(name, fresh)
            else:
                yield fill(phone, spoken)
                if spoken != digits:
                    yield click(draw.word("save"))
                    yield fill(phone, digits, why="the site wants digits only")
            yield click(draw.word("save"))
            yield done(draw.word("saved"), see=draw.word("saved"))
        if kind == "absent":
            for path in PAGES:
                yield click(site.sections[path], why=f"{absent} may be here")
            yield give_up(f"{absent}: {draw.word('nothing_found')}", why="no page has it")
        for each in (label, second)[: 2 if kind == "two" else 1]:
            yield click(site.sections[places[each]], why=f"{each} may be here")
            if kind == "state":
                yield done(f"{label}: {states[on]} ({site.sections[places[label]]})", see=label)
            yield switch(each)
        yield done(f"{label}: {states[not on]}")

    def want(data: dict[str, object]) -> None:
        turned = {"turn": {label: not on}, "two": {label: not on, second: not site.data["on"][second]}}.get(kind, {})
        data["on"] = site.data["on"] | turned
        data |= {"name": {"name": fresh}, "phone": {"phone": digits}, "language": {"language": tongue}}.get(kind, {})

    said = absent if kind == "absent" else label
    values = {"label": said, "second": second, "state": states[on], "other": states[not on]}
    goal = draw.goal(kind, **values, name=fresh, phone=spoken, option=tongue)
    answer = [states[on]] if kind == "state" else []
    site.task(goal, steps, want=want, answer=answer, ending="give_up" if kind == "absent" else "done")
    return site


def list_index(draw: Draw) -> int:
    return ("en", "de", "fr", "es", "zh").index(draw.language)
