"""Further widgets in two states, in the manner of design systems, written before a look at how states are told."""

from browser.state_widgets import BALL, PILL, SQUARE, TEXT, StateWidget, items, switch, three

HOST = f"<template shadowrootmode=open><style>i{{{PILL};display:block}}b{{{BALL};left:2px}}i.y b{{left:20px}}</style>"
CHEVRON = "<svg width=12 height=12 viewBox='0 0 12 12' style='transform:rotate(%s)'><path d='M2 4l4 4 4-4'/></svg>"
CHECK = "<svg width=14 height=14 class='icon-check' style='%s'><path d='M1 6l4 4 7-9'/></svg>"


def fold(style: str, probe: str, on: str, off: str, markup: str, css: str = "") -> StateWidget:
    return StateWidget(f"fold, {style}", probe, on, off, markup, css)


def box(style: str, probe: str, markup: str, css: str = "") -> StateWidget:
    return StateWidget(f"checkbox, {style}", probe, "checked", "unchecked", markup, css)


SYSTEM_SWITCHES = (
    switch(
        "shadow",
        f"<x-switch style='display:block;width:40px;height:22px' onclick=''>{HOST}<i class='@y|@'><b></b></i>"
        "</template></x-switch>",
    ),
    StateWidget(
        "switch, sap",
        "sap",
        "on",
        "off",
        '<div class=srow><div><b>Switch sap</b></div><div class="sapMSwt '
        '@sapMSwtOn|sapMSwtOff@" tabindex=0 style="width:60px;height:22px"></div></div>',
    ),
    switch(
        "kendo",
        '<span class="k-switch @k-switch-on|k-switch-off@" tabindex=0 style="width:50px;height:24px;'
        'display:block"><span class="k-switch-track"></span></span>',
    ),
    switch(
        "material two words",
        '<div class="mdc-switch @mdc-switch--selected|mdc-switch--unselected@" tabindex=0 '
        'style="width:36px;height:20px"><div class="mdc-switch__track"></div></div>',
    ),
    switch(
        "prime",
        '<div class="p-inputswitch p-component @p-inputswitch-checked|@" style="width:48px;height:28px;'
        'cursor:pointer"><span class="p-inputswitch-slider"></span></div>',
    ),
    switch(
        "ionic",
        '<ion-toggle class="ios in-item @toggle-checked|@ interactive" tabindex=0 style="display:block;'
        'width:50px;height:30px"></ion-toggle>',
    ),
    switch(
        "headless", '<button data-headlessui-state="@checked|@" class="hs" style="width:44px;height:24px"></button>'
    ),
    switch(
        "inline styles",
        '<div tabindex=0 style="cursor:pointer"><div style="display:flex;flex-shrink:0;height:14px;width:26px;'
        'border-radius:44px;padding:2px;background:@rgb(35,131,226)|rgba(135,131,120,.3)@">'
        '<div style="width:14px;height:14px;border-radius:44px;background:white;'
        'transform:translateX(@12|0@px) translateY(0)"></div></div></div>',
    ),
    switch(
        "drawn in svg",
        '<div class="cont-1Q" tabindex=0 style="position:relative;width:40px;height:24px;border-radius:14px;'
        'background:@hsl(139,47%,44%)|hsl(218,5%,47%)@"><svg viewBox="0 0 28 20" preserveAspectRatio="xMinYMid meet" '
        'width=28 height=18 style="position:absolute;top:3px;left:@12|-3@px"><rect fill=white x=4 width=20 height=20 '
        "rx=10></rect></svg></div>",
    ),
    StateWidget(
        "switch, words",
        "@ON|OFF@ (Switch words)",
        "",
        "",
        "<div class=srow><div><b>Switch words</b></div><div "
        'class="tgl-w" tabindex=0 style="width:60px;height:22px;border-radius:11px">@ON|OFF@</div></div>',
    ),
    switch("picture", '<img src="/img/toggle_@on|off@.svg" alt="" onclick="" width=36 height=20>'),
    switch("svg class", "<button class=ghost><svg width=24 height=16 class='bi bi-toggle-@on|off@'></svg></button>"),
)

SYSTEM_BOXES = (
    box(
        "mantine",
        "Box mantine",
        '<label style="display:block;cursor:pointer"><input type=checkbox @checked|@ '
        'style="width:0;height:0;opacity:0;position:absolute"><span class="m-tr" data-checked="@true|false@" '
        'style="display:inline-block;width:46px;height:24px"></span>Box mantine</label>',
    ),
    box(
        "lucide",
        "Box lucide",
        "<div onclick='' style='cursor:pointer'><svg width=16 height=16 class='lucide lucide-@square-check|square@'>"
        "</svg> <span>Box lucide</span></div>",
    ),
    box(
        "sprite",
        "Box sprite",
        "<div onclick='' style='cursor:pointer'><svg width=16 height=16><use href='#icon-checkbox@-checked|@'/></svg>"
        " <span>Box sprite</span></div>",
    ),
    box(
        "webflow",
        "Box webflow",
        "<label class=w-cb style='display:block'><div class='w-checkbox-input w-checkbox-input--inputType-custom "
        f"@w--redirected-checked|@' style='{SQUARE}'></div><input type=checkbox @checked|@ style='opacity:0;"
        "position:absolute;z-index:-1'><span>Box webflow</span></label>",
    ),
    box(
        "extjs",
        "Box extjs",
        "<div class='x-field @x-form-cb-checked|@' style='display:flex'><span class='x-form-field x-form-checkbox' "
        f"role=presentation tabindex=0 style='{SQUARE}'></span><label>Box extjs</label></div>",
    ),
    box(
        "task",
        "Complete task",
        "<div style='display:flex'><div class='task-check @task-check--complete|task-check--incomplete@' role=checkbox "
        f"tabindex=0 style='{SQUARE};border-radius:50%'></div><span>Complete task</span></div>",
    ),
)

SYSTEM_CHOICES = (
    three("lightning", "Tab", f'<li class="slds-tabs__item @slds-is-active|@" style="{TEXT}">NAME</li>', around="ul"),
    three("webflow", "Tab", '<a class="w-tab-link @w--current|@" href="#t">NAME</a>', "current"),
    three(
        "jquery",
        "Tab",
        '<li class="ui-tabs-tab ui-state-default @ui-tabs-active ui-state-active|@"><a href="#j">NAME</a></li>',
        "current",
        "ul class=ui-tabs-nav",
    ),
    three(
        "cloudscape",
        "Tab",
        f'<div class="awsui_tabs-tab_14rmt_9 @awsui_tabs-tab-active_14rmt_12|@" style="{TEXT}">NAME</div>',
    ),
    three("gwt", "Tab", f'<div class="gwt-TabBarItem @gwt-TabBarItem-selected|@" style="{TEXT}">NAME</div>'),
    three("bold", "Tab", f'<div class="tb7" style="{TEXT};font-weight:@700|400@;color:@#111|#777@">NAME</div>'),
    three(
        "ionic",
        "Segment",
        f'<div class="segment-button @segment-button-checked|@" style="{TEXT}">NAME</div>',
        "checked",
    ),
    three(
        "blueprint", "Segment", '<button class="bp5-button @bp5-active|@">NAME</button>', around="div class=bp5-group"
    ),
    three(
        "gradient",
        "Segment",
        f'<div class="gr1" style="{TEXT};background:@linear-gradient(#06c,#048)|none@">NAME</div>',
    ),
    three(
        "carbon", "Chip", '<button class="cds--tag cds--tag--selectable @cds--tag--selectable-selected|@">NAME</button>'
    ),
    three("closing cross", "Chip", f'<div class="chip-f @filter-chip--applied is-applied|@" style="{TEXT}">NAME</div>'),
    three("aria", "Chip", "<div tabindex=0 @data-selected|@>NAME</div>"),
    three("check", "Option", f'<div class="opt7" style="{TEXT}">{CHECK % "visibility:@visible|hidden@"}NAME</div>'),
    three(
        "calendar",
        "Day",
        f'<div class="react-datepicker__day @react-datepicker__day--selected|@" style="{TEXT}">NAME</div>',
        around="div class=react-datepicker__week",
    ),
    three(
        "ring",
        "Plan",
        f'<div class="plan-card" style="{TEXT};border:1px solid #ddd;box-shadow:'
        '@0 0 0 2px rgb(79,70,229)|none@">NAME</div>',
    ),
    three(
        "highlight",
        "Row",
        '<tr class="@p-highlight|@" onclick=""><td>NAME</td><td></td></tr>',
        around="table",
        css="tr.p-highlight td{background:#e0e7ff}",
    ),
    three("tree", "Node", f'<div class="tree-node @tree-node-selected|@" style="{TEXT}">NAME</div>'),
)

SYSTEM_FOLDS = (
    fold(
        "semantic",
        "Fold semantic",
        "expanded",
        "collapsed",
        f'<div class="ui accordion"><div class="title @active|@" style="{TEXT}"><i class="dropdown icon"></i>'
        "Fold semantic</div><div class='content @active|@' style='display:@block|none@'>Words in it</div></div>",
    ),
    fold(
        "chevron",
        "Fold chevron",
        "expanded",
        "collapsed",
        f'<div class="qa"><button class="w-full">Fold chevron {CHEVRON % "@180deg|0deg@"}</button>'
        "<div style='display:@block|none@'>Words below</div></div>",
    ),
    fold(
        "grid rows",
        "Fold grid",
        "expanded",
        "collapsed",
        f'<div class="pn"><div class=hd style="{TEXT}">Fold grid</div><div style="display:grid;grid-template-rows:'
        '@1fr|0fr@"><div style="overflow:hidden;min-height:0">Words of it</div></div></div>',
    ),
    fold(
        "icon",
        "Fold icon",
        "expanded",
        "collapsed",
        f'<div style="{TEXT}" onclick=""><span class="pi pi-chevron-@down|right@"></span> Fold icon</div>',
    ),
    fold(
        "tree",
        "tree switcher",
        "expanded",
        "collapsed",
        f'<div class="tree-row" style="display:flex"><span class="tree-switcher tree-switcher_@open|close@" '
        f'style="{TEXT};'
        'width:16px;height:16px" onclick=""></span><span>Fold tree</span></div>',
    ),
    fold(
        "plus",
        "@−|+@ Fold plus",
        "expanded",
        "collapsed",
        f'<div class="px"><div style="{TEXT}" onclick=""><span>@−|+@</span> Fold plus</div>'
        "<div style='display:@block|none@'>Words under</div></div>",
    ),
)

SYSTEM_ICONS = (
    items(
        "icon",
        "Stars",
        "on",
        "<div class=v-rating>"
        + "".join(
            f"<button aria-label='{name}'><i class='mdi mdi-{sign}' style='display:block;width:16px;height:16px'></i>"
            "</button>"
            for name, sign in (("Star x", "star"), ("Stars icon", "@star|star-outline@"), ("Star z", "star-outline"))
        )
        + "</div>",
    ),
    items(
        "fill",
        "Heart",
        "on",
        "<div>"
        + "".join(
            f"<button aria-label='{name}'><svg width=16 height=16 viewBox='0 0 24 24' fill='{ink}' stroke=currentColor>"
            "<path d='M12 21l-9-9a6 6 0 0 1 9-8 6 6 0 0 1 9 8z'/></svg></button>"
            for name, ink in (("Heart fill", "@red|none@"), ("Heart b", "none"), ("Heart c", "none"))
        )
        + "</div>",
    ),
    items(
        "pressed",
        "Icon",
        "pressed",
        "<button class=ic aria-pressed=@true|false@ title='Icon pressed'><svg width=12 height=12></svg></button>",
    ),
    items(
        "toolbar",
        "Icon",
        "on",
        "<div class=tb><button class='tool @tool--on|@' title='Icon toolbar'><svg width=12 height=12></svg></button>"
        "<button class=tool title=U><svg width=12 height=12></svg>"
        "</button></div>",
    ),
)

PLAIN_SYSTEMS = (
    items("on sale", "Plain", "", f'<div class="card on-sale" style="{TEXT}">Plain on sale</div>'),
    items(
        "off white",
        "Plain",
        "",
        '<div class="swatch off-white" title="Plain off white" style="width:20px;height:20px;'
        'background:#eee;cursor:pointer"></div>',
    ),
    items("switch account", "Plain", "", '<button class="switch-account btn">Plain switch account</button>'),
    items("source", "Plain", "", '<a class="is-open-source open-sans" href="#o">Plain source</a>'),
    items("check in", "Plain", "", '<button class="check-in checkout current-weather">Plain check in</button>'),
    items("within", "Plain", "", '<div class="modal open active"><button class=btn>Plain within</button></div>'),
    items("pane", "Plain", "", '<div class="tab-pane active"><button>Plain pane</button></div>'),
    items("slide", "Plain", "", '<div class="carousel-item active"><a href="#s">Plain slide</a></div>'),
    items("clear", "Plain", "", '<button class="clear-checked remove-selected">Plain clear</button>'),
    items(
        "not checked", "Plain", "", f'<div class="is-not-checked half-checked" style="{TEXT}">Plain not checked</div>'
    ),
    items("not done", "Plain", "", '<div role=checkbox tabindex=0 class="task not-done">Plain not done</div>'),
    items("done", "Plain", "", f'<div class="order-status complete" style="{TEXT}">Plain done</div>'),
    items(
        "menu",
        "Plain",
        "",
        '<section class="menu-open is-active selected"><p><button>Plain menu</button></p></section>',
    ),
    items("canvas", "Plain", "", '<button class="toggle-off-canvas">Plain canvas</button>'),
    items(
        "theme",
        "Plain",
        "",
        '<button class="theme-toggle"><svg width=16 height=16 class="icon-moon"></svg>Plain theme</button>',
    ),
    items(
        "password",
        "Plain",
        "",
        '<button class="toggle-password" style="width:24px;height:20px" title="Plain password">'
        "<svg width=12 height=12></svg></button>",
    ),
    items(
        "unread",
        "Plain",
        "",
        '<ul><li class="mail unread" onclick="" style="font-weight:700">Plain unread</li>'
        "<li class=mail onclick=''>Read one</li><li class=mail onclick=''>Read two</li></ul>",
    ),
    items(
        "two buttons",
        "Plain",
        "",
        '<div><button style="background:#06c;color:#fff">Plain two buttons</button><button>Back</button></div>',
    ),
    items(
        "danger",
        "Plain",
        "",
        "<div><button>Copy it</button><button>Move it</button>"
        "<button style='background:#c00;color:#fff'>Plain danger</button></div>",
    ),
    items(
        "plus",
        "Plain",
        "",
        f"<div><span style='{TEXT}' onclick=''>+</span> <b>2</b> <span style='{TEXT}' onclick='' "
        "title='Plain plus'>−</span></div>",
    ),
)

SYSTEMS: tuple[StateWidget, ...] = (
    *SYSTEM_SWITCHES,
    *SYSTEM_BOXES,
    *SYSTEM_CHOICES,
    *SYSTEM_FOLDS,
    *SYSTEM_ICONS,
)
