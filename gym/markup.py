"""The widgets of a page. A family calls `ui.field(…)` or `ui.switch(…)`; the drawn style decides the markup.

Every method returns HTML. Texts are escaped here, so a family gives plain words.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from gym.hurdles import PREVIEW, fault_of
from gym.lists import ListWriter, Row
from gym.snags import OTHER

if TYPE_CHECKING:
    from gym.site import Site

STARS = ("☆", "★")
Options = Sequence[str] | Mapping[str, str]


class Ui:
    """The widgets for one page of one site. `query` is that of the page's address."""

    def __init__(self, site: "Site", address: str, query: Mapping[str, str]) -> None:
        self.site = site
        self.style = site.style
        self.address = address
        self.query = query
        self.title = ""
        self._count = 0

    def word(self, key: str) -> str:
        return self.site.draw.word(key)

    def path(self, path: str) -> str:
        """The address of a path of this site."""
        return escape(self.site.base + path)

    def number(self) -> str:
        self._count += 1
        return f"{self.site.base.strip('/')}-{self._count}"

    # Words

    def text(self, *words: str) -> str:
        return "".join(f"<p>{escape(each)}</p>" for each in words)

    def heading(self, words: str, level: int = 2) -> str:
        if level < 3 and not self.title:
            self.title = words
        if self.style["controls"] == "div":
            look = f"font-size:{1.9 - level / 4}em;font-weight:700"
            return f'<div class="{self.style.name("heading")}" style="{look}">{escape(words)}</div>'
        return f"<h{level}>{escape(words)}</h{level}>"

    def facts(self, facts: Mapping[str, str]) -> str:
        """Labels with values: what a detail page tells."""
        match self.style["list"]:
            case "table" | "grid":
                rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in facts.items())
                return f"<table>{rows}</table>"
            case "cards":
                return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items()) + "</dl>"
            case _:
                return "".join(f"<div>{escape(k)}: {escape(v)}</div>" for k, v in facts.items())

    # Links and buttons

    def link(self, label: str, path: str) -> str:
        """Leads to a path of this site and changes nothing."""
        self.site.links.add(label)
        match self.style["controls"]:
            case "div":
                return f'<span class="{self.style.name("link")}" data-go="{self.path(path)}">{escape(label)}</span>'
            case "aria":
                return f'<span role="link" tabindex="0" data-go="{self.path(path)}">{escape(label)}</span>'
            case _:
                return f'<a class="{self.style.name("link")}" href="{self.path(path)}">{escape(label)}</a>'

    def button(self, label: str, act: str, /, *, sure: bool = False, icon: str = "", **args: object) -> str:
        """Carries out an action of the site. `sure`: the site may ask whether it is meant. Now and then another one
        with a near name stands beside it."""
        made, other = self._write_button(label, act, args, sure, icon), self.site.snags.name_other(label, act)
        if icon or not other:
            return made
        beside = self._pressable(other, f'data-act="{self.action(OTHER, _label=other)}"')
        return self.site.snags.pair(label, made, beside)

    def _write_button(self, label: str, act: str, args: Mapping[str, object], sure: bool, icon: str) -> str:
        asks = self.style["confirm"] if sure else "none"
        if asks == "page":
            kept = {"_act": act, "_label": label, "_from": self.address} | {k: str(v) for k, v in args.items()}
            return self._pressable(label, f'data-go="{self.path("/confirm?" + urlencode(kept))}"', icon)
        question = f' data-confirm="{escape(label)}: {escape(self.word("sure"))}"' if asks == "dialog" else ""
        target = self.action(act, **args)
        if self.style["controls"] == "plain" and not question and self.style["loading"] == "pages":
            named = f' aria-label="{escape(label)}"' if icon else ""
            return (
                f'<form method="post" action="{target}" style="display:inline">'
                f'<button class="{self.style.name("button")}"{named}>{escape(icon or label)}</button></form>'
            )
        return self._pressable(label, f'data-act="{target}"{question}', icon)

    def _pressable(self, label: str, data: str, icon: str = "") -> str:
        told = f'{data} aria-label="{escape(label)}"' if icon else data
        words, name = escape(icon or label), self.style.name("button")
        match self.style["controls"]:
            case "div":
                return f'<div class="pressable {name}" {told}>{words}</div>'
            case "aria":
                return f'<div role="button" tabindex="0" class="pressable" {told}>{words}</div>'
            case _:
                return f'<button type="button" class="{name}" {told}>{words}</button>'

    def action(self, act: str, /, **args: object) -> str:
        """The address that carries out an action."""
        given = {name: str(value) for name, value in args.items()} | {"_from": self.address}
        return self.path(f"/act/{act}?{urlencode(given)}")

    def confirm_page(self) -> Sequence[str]:
        args = {name: value for name, value in self.query.items() if name not in ("_act", "_label", "_bare")}
        action = self.path(f"/act/{self.query['_act']}?{urlencode(args)}")
        question = f"{self.query['_label']}: {self.word('sure')}"
        yes = self._pressable(self.word("yes"), f'data-act="{action}"')
        return [self.heading(question), yes, self.link(self.word("no"), args["_from"])]

    def menu(self, label: str, items: Sequence[str]) -> str:
        """Links and buttons behind a button."""
        if self.style["controls"] == "plain" and self.style["actions"] != "menu":
            return f"<details><summary>{escape(label)}</summary>{''.join(items)}</details>"
        opener = self._pressable(
            label, 'data-menu="1"' + (' aria-expanded="false" aria-haspopup="menu"' * self._spoken)
        )
        role = ' role="menu"' if self._spoken else ""
        popup = f'<div class="popup" data-popup hidden{role}>{"".join(items)}</div>'
        return f'<span style="position:relative">{opener}{popup}</span>'

    @property
    def _spoken(self) -> bool:
        return self.style["controls"] == "aria"

    # Fields

    def field(self, name: str, label: str, value: str = "", kind: str = "text") -> str:
        """A field of a form. `kind`: text, textarea, date, number, email, password, search."""
        given = self.site.draft.get(name, value)
        fault, id = self.site.errors.get(name, ""), self.number()
        shown = f' placeholder="{escape(label)}"' if self.style["label"] == "placeholder" else ""
        spoken = f' aria-label="{escape(label)}"' if self.style["label"] == "aria" else ""
        wrong = ' aria-invalid="true"' if fault else ""
        type = "text" if kind == "date" else kind
        common = f'id="{id}" name="{name}" class="{self.style.name("field")}"{shown}{spoken}{wrong}'
        if kind == "textarea":
            inner = f"<textarea {common} rows=4 cols=50>{escape(given)}</textarea>"
        else:
            inner = f'<input type="{type}" {common} value="{escape(given)}">'
        said = f'<div class="fault">{escape(fault)}</div>' if fault else ""
        return self._labelled(label, id, inner) + said

    def _labelled(self, label: str, id: str, inner: str) -> str:
        words = escape(label)
        match self.style["label"]:
            case "for":
                return f'<div class="labelled"><label for="{id}">{words}</label> {inner}</div>'
            case "wrap":
                return f"<label>{words} {inner}</label>"
            case "above":
                return f'<div class="labelled"><div>{words}</div>{inner}</div>'
            case "aria":
                return f'<div class="labelled"><b>{words}</b> {inner}</div>'
            case _:
                return f'<div class="labelled">{inner}</div>'

    def choose(self, name: str, label: str, options: Options, value: str = "") -> str:
        """One of several options, as a part of a form. Options are words, or values with words."""
        listed = dict(options) if isinstance(options, Mapping) else {each: each for each in options}
        chosen = self.site.draft.get(name, value)
        chosen = chosen if chosen in listed else next(iter(listed))
        match self.style["choice"]:
            case "radio":
                return self._radios(name, label, listed, chosen)
            case "custom" | "buttons":
                return self._custom(name, label, listed, chosen)
            case _:
                id = self.number()
                inner = "".join(
                    f'<option value="{escape(key)}"{" selected" * (key == chosen)}>{escape(words)}</option>'
                    for key, words in listed.items()
                )
                spoken = f' aria-label="{escape(label)}"' if self.style["label"] in ("placeholder", "aria") else ""
                return self._labelled(label, id, f'<select id="{id}" name="{name}"{spoken}>{inner}</select>')

    def _radios(self, name: str, label: str, options: Mapping[str, str], chosen: str) -> str:
        inner = "".join(
            f'<label><input type="radio" name="{name}" value="{escape(key)}"{" checked" * (key == chosen)}> '
            f"{escape(words)}</label>"
            for key, words in options.items()
        )
        return f"<fieldset><legend>{escape(label)}</legend>{inner}</fieldset>"

    def _custom(self, name: str, label: str, options: Mapping[str, str], chosen: str) -> str:
        kept = f'<input type="hidden" name="{name}" value="{escape(chosen)}">'
        if self.style["choice"] == "buttons":
            state = ' aria-pressed="{}"' if self.style["controls"] != "div" else ""
            items = "".join(
                f'<button type="button" class="pressable{" on" * (key == chosen)}" data-option="{escape(key)}"'
                f"{state.format(str(key == chosen).lower())}>{escape(words)}</button>"
                for key, words in options.items()
            )
            return f'<div class="labelled" data-choice><span>{escape(label)}</span> {kept}{items}</div>'
        items = "".join(
            f'<div role="option" aria-selected="{str(key == chosen).lower()}" data-option="{escape(key)}">'
            f"{escape(words)}</div>"
            for key, words in options.items()
        )
        opener = (
            f'<button type="button" class="pressable" aria-haspopup="listbox" aria-label="{escape(label)}" '
            f'data-menu="1">{escape(options[chosen])}</button>'
        )
        return (
            f'<div class="labelled" data-choice style="position:relative"><span>{escape(label)}</span> {kept}{opener}'
            f'<div class="popup" role="listbox" data-popup hidden>{items}</div></div>'
        )

    def check(self, name: str, label: str, on: bool = False) -> str:
        """A box to tick, as a part of a form."""
        ticked = (name in self.site.draft) if self.site.draft else on
        return f'<label><input type="checkbox" name="{name}" value="1"{" checked" * ticked}> {escape(label)}</label>'

    def form(self, act: str, fields: Sequence[str], label: str, /, **args: object) -> str:
        """Fields and the button that sends them to an action."""
        strict = self.style["strict"] == "yes"
        target = self.action(act, **args, _form=act)
        fields = [*fields, self._agreement()] if strict else fields
        fault = self.site.errors.get(fault_of(act), "")
        said = f'<small class="fault">{escape(fault)}</small>' if fault else ""
        beside = self._send(self.word("preview"), self.action(PREVIEW, _form=act), "formaction")
        inner = "".join(fields) + (beside if self.style["hurdle"] == "draft" else "")
        send, other = self._send(label, target), self.site.snags.name_other(label, act)
        if other and self.style["hurdle"] != "draft":
            send = self.site.snags.pair(label, send, self._send(other, self.action(OTHER, _label=other), "formaction"))
        if self.style["controls"] == "div":
            return f'<div data-form="1" class="{self.style.name("form")}">{inner}{send}{said}</div>'
        return f'<form method="post" action="{target}" novalidate>{inner}{send}{said}</form>'

    def _send(self, label: str, target: str, told: str = "") -> str:
        """A button that sends a form; `told`: the attribute that says where to, if not to the form's own action."""
        if self.style["controls"] == "div":
            return f'<div class="pressable {self.style.name("button")}" data-send="{target}">{escape(label)}</div>'
        named = f' {told}="{target}"' if told else ""
        return f'<button class="{self.style.name("button")}"{named}>{escape(label)}</button>'

    def _agreement(self) -> str:
        """A box without which a form is refused."""
        fault = self.site.errors.get("_agree", "")
        box = f'<label><input type="checkbox" name="_agree" value="1"> {escape(self.word("agree"))}</label>'
        return (f'<h4 class="fault">{escape(fault)}</h4>' if fault else "") + box

    def contact_page(self) -> Sequence[str]:
        site = self.site
        facts = {self.word(key): value for key, value in site.facts.items()}
        return [self.heading(site.sections[site.contact]), self.facts(facts), self.text(self.word("filler"))]

    def plain_page(self, path: str) -> Sequence[str]:
        """A page of a section or of the footer that tells nothing of use."""
        told = self.site.draw.all("filler")
        label = self.site.sections.get(path) or self.word(path.rpartition("/")[2])
        return [self.heading(label), self.text(*(told[(len(path) + at) % len(told)] for at in range(3)))]

    def search(self, path: str, label: str = "", name: str = "q") -> str:
        """A search: shows the path with the words in its query."""
        said = escape(label or self.word("search"))
        given = escape(self.query.get(name, ""))
        box = f'<input type="search" name="{name}" placeholder="{said}" aria-label="{said}" value="{given}">'
        return f'<form method="get" action="{self.path(path)}" role="search">{box} <button>{said}</button></form>'

    # States

    def switch(self, label: str, act: str, on: bool, /, **args: object) -> str:
        """A setting that is on or off and changes at once."""
        data = f'data-act="{self.action(act, **args)}"'
        words, state = escape(label), str(on).lower()
        match self.style["switch"]:
            case "checkbox":
                return f'<label><input type="checkbox" {data}{" checked" * on}> {words}</label>'
            case "switch":
                shown = f'<button type="button" role="switch" aria-checked="{state}" {data}>{words}</button>'
                return f'<div class="labelled">{shown}</div>'
            case "knob":
                told = f'role="switch" aria-label="{words}" aria-checked="{state}" {data}'
                return f'<div class="labelled">{words} <span class="knob{" on" * on}" {told}><i></i></span></div>'
            case "star":
                return f'<div class="labelled"><span class="pressable" {data}>{STARS[on]} {words}</span></div>'
            case _:
                said = escape(self.word("on" if on else "off"))
                return f'<div class="labelled">{self._pressable(f"{label}: {said}", data)}</div>'

    def star(self, act: str, on: bool, label: str, /, **args: object) -> str:
        """A mark that is set and taken away by a click; often only the sign tells which."""
        data = f'data-act="{self.action(act, **args)}"'
        spoken = f' aria-label="{escape(label)}" aria-pressed="{str(on).lower()}"' if self._spoken else ""
        tag = "button" if self.style["controls"] != "div" else "span"
        return f'<{tag} class="{self.style.name("star")}" style="cursor:pointer" {data}{spoken}>{STARS[on]}</{tag}>'

    # Lists

    def table(self, columns: Sequence[str], rows: Sequence[Row]) -> str:
        """Rows with links and actions, as a table, grid, cards or list."""
        return ListWriter(self, columns).write(rows)

    def listing(
        self, columns: Sequence[str], rows: Sequence[Row], path: str, *, size: int = 8, seek: bool = True
    ) -> str:
        """A table with paging and, with `seek`, a search over all cells; both stand in the query of the path."""
        return ListWriter(self, columns).write_paged(rows, path, size, seek)
