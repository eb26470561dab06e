"""Widgets in the manner of many design systems, each in two states. Written for the tests; no library's code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

CHOICE = re.compile(r"@([^|@]*)\|([^@]*)@")


def choose(text: str, state: bool) -> str:
    """The text as it is in one of both states."""
    return CHOICE.sub(lambda found: found[1 if state else 2], text)


@dataclass(frozen=True)
class StateWidget:
    """Markup with `@if on|if off@` in it; `probe` is the name of the element, `on` and `off` what is told of it."""

    style: str
    probe: str
    on: str
    off: str
    markup: str
    css: str = ""

    def html(self, state: bool) -> str:
        return choose(self.markup, state)


def switch(style: str, toggle: str, css: str = "") -> StateWidget:
    """A switch at the end of a row with a title and a line about it."""
    row = f"<div class=srow><div><b>Switch {style}</b><p>Says what it does.</p></div>{toggle}</div>"
    return StateWidget(f"switch, {style}", f"Switch {style}", "on", "off", row, css)


def items(style: str, kind: str, on: str, markup: str, css: str = "") -> StateWidget:
    """One of several to choose from: nothing is told of what is not chosen."""
    return StateWidget(f"{kind}, {style}", f"{kind} {style}", on, "", markup, css)


def three(style: str, kind: str, item: str, on: str = "selected", around: str = "div", css: str = "") -> StateWidget:
    """Three alike: in the one state the first is chosen, in the other the second."""
    first = item.replace("NAME", f"{kind} {style}")
    second = CHOICE.sub(r"@\2|\1@", item.replace("NAME", f"{kind} two"))
    third = CHOICE.sub(r"\2", item.replace("NAME", f"{kind} three"))
    tag = around.split()[0]
    return items(style, kind, on, f"<{around}>{first}{second}{third}</{tag}>", css)


PILL = "width:40px;height:22px;border-radius:11px;background:#bbb;position:relative;cursor:pointer"
BALL = "position:absolute;top:2px;width:18px;height:18px;border-radius:50%;background:#fff"
SQUARE = "display:inline-block;width:16px;height:16px;border:1px solid #555;cursor:pointer;vertical-align:middle"
TEXT = "cursor:pointer;display:inline-block;padding:0 6px"

SWITCHES = (
    switch(
        "class",
        '<div class="toggle-switch @active|@" onclick=""></div>',
        ".toggle-switch{width:40px;height:22px;background:#ccc}.toggle-switch.active{background:#06c}",
    ),
    switch(
        "knob",
        '<div class="css-k1" tabindex=0><div class="css-k2 @css-k3|@"></div></div>',
        f".css-k1{{{PILL}}}.css-k2{{{BALL};left:2px}}.css-k3{{left:20px}}",
    ),
    switch(
        "pseudo",
        '<span class="ui-toggle-a @x9|@" onclick=""></span>',
        f".ui-toggle-a{{display:block;{PILL}}}.ui-toggle-a::after{{content:'';{BALL};left:2px}}"
        ".ui-toggle-a.x9::after{transform:translateX(18px)}",
    ),
    switch(
        "ant",
        '<button class="antd-switch @antd-switch-checked|@" style="width:44px;height:22px"><div></div></button>',
    ),
    switch("aria", '<button role=switch aria-checked=@true|false@ style="width:36px;height:20px"></button>'),
    switch(
        "radix",
        "<button class=rx data-state=@checked|unchecked@><span class=rxt></span></button>",
        f".rx{{{PILL};border:0}}.rxt{{{BALL};left:2px}}.rx[data-state=checked] .rxt{{left:20px}}",
    ),
    switch(
        "element", '<div class="el-switch @is-checked|@" style="width:40px;height:20px" onclick=""><span></span></div>'
    ),
    switch(
        "mui",
        '<span class=Mx-switch style="width:58px;height:38px;display:block;cursor:pointer">'
        '<span class="Mxb @Mui-checked|@"></span></span>',
        ".Mx-switch{position:relative}.Mxb{position:absolute;top:9px;left:8px;width:20px;height:20px;background:#888}"
        ".Mxb.Mui-checked{left:30px}",
    ),
    switch(
        "vuetify", '<div class="v-toggle @v-toggle--on|v-toggle--off@" style="width:40px;height:20px" onclick=""></div>'
    ),
    switch(
        "flex",
        '<div class=fx style="justify-content:@flex-end|flex-start@"><i></i></div>',
        f".fx{{{PILL};display:flex;align-items:center}}.fx i{{width:18px;height:18px;background:#fff}}",
    ),
    switch(
        "right to left",
        '<div dir=rtl><div class=rl onclick=""><div style="@left:2px|right:2px@"></div></div></div>',
        f".rl{{{PILL}}}.rl div{{{BALL}}}",
    ),
    switch(
        "module",
        '<div class="Toggle_root__3kfX2 @Toggle_on__9dk2L|@" style="width:38px;height:20px" onclick=""></div>'
        '<div class="Toggle_root__3kfX2 Toggle_on__9dk2L" style="width:38px;height:20px"></div>',
    ),
    switch(
        "icon class",
        '<i class="fa fa-toggle-@on|off@" style="cursor:pointer;display:block;width:30px;height:18px"></i>',
    ),
    switch(
        "icon font",
        '<span class="material-icons" style="cursor:pointer" onclick="">toggle_@on|off@</span>',
    ),
    switch("native", "<label><input type=checkbox role=switch @checked|@></label>"),
    switch(
        "hidden input",
        "<label class=hid><input type=checkbox @checked|@><span></span></label>",
        f".hid{{{PILL};display:block}}.hid input{{opacity:0;width:0;height:0}}.hid span{{{BALL};left:2px}}",
    ),
    StateWidget(
        "switch, whole row",
        "Row switch",
        "on",
        "off",
        '<div class=rsw onclick="" style="cursor:pointer;display:flex"><span>Row switch</span>'
        '<div class=rst><div style="left:@20|2@px"></div></div></div>',
        f".rst{{{PILL}}}.rst div{{{BALL}}}",
    ),
    switch("data", '<div class=dsw data-on=@true|false@ style="width:40px;height:20px;cursor:pointer"></div>'),
    switch(
        "quasar",
        '<div class="q-toggle @q-toggle--truthy|q-toggle--falsy@" tabindex=0 style="width:44px;height:24px"></div>',
    ),
    switch(
        "tailwind",
        '<button class="relative inline-flex h-6 w-11 rounded-full @bg-blue-600|bg-gray-200@ focus:ring-2 twb">'
        '<span class="twk" style="transform:translateX(@20|0@px)"></span></button>',
        f".twb{{{PILL};border:0;padding:0;display:block}}.twk{{{BALL};left:2px}}",
    ),
)

BOXES = (
    StateWidget(
        "checkbox, class",
        "Box class",
        "checked",
        "unchecked",
        f'<div><div class="checkbox @checked|@" style="{SQUARE}" onclick=""></div> Box class</div>',
    ),
    StateWidget(
        "checkbox, tick",
        "Box tick",
        "checked",
        "unchecked",
        f'<div><span class="my-checkbox" style="{SQUARE}" onclick="">@✓|@</span> Box tick</div>',
    ),
    StateWidget(
        "checkbox, drawing",
        "Box drawing",
        "checked",
        "unchecked",
        f'<div><span class="checkbox" style="{SQUARE}" onclick=""><svg width=12 height=12 '
        'style="visibility:@visible|hidden@"><path d="M1 5l4 4 6-8"/></svg></span> Box drawing</div>',
    ),
    StateWidget(
        "checkbox, aria",
        "Box aria",
        "checked",
        "unchecked",
        "<div role=checkbox tabindex=0 aria-checked=@true|false@>Box aria</div>",
    ),
    StateWidget(
        "checkbox, native",
        "Box native",
        "checked",
        "unchecked",
        "<label><input type=checkbox @checked|@> Box native</label>",
    ),
    StateWidget(
        "checkbox, row",
        "Box row",
        "checked",
        "unchecked",
        f'<div onclick="" style="cursor:pointer"><span class="todo-checkbox @is-checked|@" style="{SQUARE}">'
        "</span> <span>Box row</span></div>",
    ),
    StateWidget(
        "checkbox, icon font",
        "Box font",
        "checked",
        "unchecked",
        '<div onclick="" style="cursor:pointer"><span class="material-icons">check_box@|_outline_blank@</span>'
        "<span>Box font</span></div>",
    ),
    StateWidget(
        "radio, class",
        "Round class",
        "checked",
        "unchecked",
        f'<div><div class="radio @selected|@" style="{SQUARE};border-radius:50%" onclick=""></div> Round class</div>',
    ),
    StateWidget(
        "radio, dot",
        "Round dot",
        "checked",
        "unchecked",
        f'<div><div class="c-radio" style="{SQUARE};border-radius:50%" onclick=""><div style="margin:4px;width:8px;'
        'height:8px;background:#000;display:@block|none@"></div></div> Round dot</div>',
    ),
    StateWidget(
        "radio, native",
        "Round native",
        "checked",
        "unchecked",
        "<label><input type=radio @checked|@> Round native</label>",
    ),
    StateWidget(
        "radio, aria",
        "Round aria",
        "checked",
        "unchecked",
        "<div role=radio tabindex=0 aria-checked=@true|false@>Round aria</div>",
    ),
)


def page(widgets: tuple[StateWidget, ...], state: bool) -> str:
    """All of them in one document, in columns so that one screen holds them."""
    css = "body{columns:4;margin:0;font:12px sans-serif}section{break-inside:avoid;margin:2px}p{margin:0}"
    parts = "".join(f"<section>{widget.html(state)}</section>" for widget in widgets)
    return f"<style>{css}.srow{{display:flex}}{''.join(widget.css for widget in widgets)}</style>{parts}"


def in_batches(widgets: tuple[StateWidget, ...], size: int) -> Iterator[tuple[StateWidget, ...]]:
    return (widgets[at : at + size] for at in range(0, len(widgets), size))
