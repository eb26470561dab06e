"""Tabs, segments, chips, swatches, folds and stars in two states, and what only sounds like a state."""

from browser.state_widgets import BOXES, SWITCHES, TEXT, StateWidget, items, three

CHOICES = (
    three("class", "Tab", f'<div class="tab @active|@" style="{TEXT}">NAME</div>'),
    three("aria", "Tab", "<button role=tab aria-selected=@true|false@>NAME</button>", around="div role=tablist"),
    three("list", "Tab", '<li class="@active|@"><a href="#x">NAME</a></li>', "current", "ul class=nav-tabs"),
    three("bem", "Tab", f'<span class="c-tabs__item @c-tabs__item--active|@" style="{TEXT}">NAME</span>'),
    three("mui", "Tab", f'<button class="MxTab-root @Mui-selected|@" style="{TEXT}">NAME</button>'),
    three("module", "Tab", f'<div class="Tabs_tab__k2Ja8 @Tabs_active__p0Qs1|@" style="{TEXT}">NAME</div>'),
    three("vite", "Tab", f'<div class="_tab_1ab2c_1 @_active_1ab2c_9|@" style="{TEXT}">NAME</div>'),
    three("first", "Tab", f'<div class="@activeTab|plainTab@" style="{TEXT}">NAME</div>'),
    three(
        "underline", "Tab", f'<div class="tab-k" style="{TEXT};border-bottom:2px solid @#06c|transparent@">NAME</div>'
    ),
    three("data", "Tab", f'<div data-state=@active|inactive@ style="{TEXT}">NAME</div>'),
    three(
        "filled",
        "Segment",
        f'<div class="segm" style="{TEXT};background:@#fff|transparent@">NAME</div>',
        around='div class="segmented" style="background:#ddd"',
    ),
    three(
        "bootstrap", "Segment", '<button class="btn btn-default @active|@">NAME</button>', around="div class=btn-group"
    ),
    three("pressed", "Segment", "<button aria-pressed=@true|false@>NAME</button>", "pressed"),
    three("uikit", "Segment", f'<a class="@uk-active|@" style="{TEXT}">NAME</a>'),
    three("primer", "Segment", f'<div class="segment @is-selected|@" style="{TEXT}">NAME</div>'),
    three("class", "Chip", f'<div class="chip @selected|@" style="{TEXT}">NAME</div>'),
    three("material", "Chip", f'<span class="mdc-chip @mdc-chip--selected|@" tabindex=0 style="{TEXT}">NAME</span>'),
    three("framed", "Chip", f'<span class="chip-q" style="{TEXT};border:1px solid @#06c|#eee@">NAME</span>'),
    three("data", "Chip", f'<span data-selected=@true|false@ style="{TEXT}">NAME</span>'),
    three(
        "class",
        "Swatch",
        '<div class="swatch @is-active|@" title="NAME" style="width:20px;height:20px;'
        'background:teal;cursor:pointer"></div>',
    ),
    three(
        "ring",
        "Swatch",
        '<div class="swatch-r" title="NAME" style="width:20px;height:20px;background:red;'
        'cursor:pointer;box-shadow:@0 0 0 2px #000|none@"></div>',
    ),
    three(
        "outline",
        "Swatch",
        '<div class="colour-o" title="NAME" style="width:20px;height:20px;background:blue;'
        'cursor:pointer;outline:@2px solid #000|none@"></div>',
    ),
    three("here", "Menu", '<a href="#m" class="nav-link @active|@">NAME</a>', "current", "nav"),
    three("aria", "Menu", '<a href="#m" aria-current=@page|false@>NAME</a>', "current", "nav"),
    three(
        "pager", "Page", '<li class="page-item @active|@"><a href="#p">NAME</a></li>', "current", "ul class=pagination"
    ),
    three(
        "option",
        "Option",
        "<div role=option aria-selected=@true|false@ tabindex=0>NAME</div>",
        around="div role=listbox",
    ),
    three("drawn", "Option", f'<div class="select-option @option--selected|@" style="{TEXT}">NAME</div>'),
    three("row", "Row", '<tr class="@selected|@" onclick=""><td>NAME</td><td></td></tr>', around="table"),
    three("list", "Mail", f'<div class="mail-item @mail-item-selected|@" style="{TEXT}">NAME</div>'),
    three("step", "Step", f'<div class="step @step--current|@" style="{TEXT}">NAME</div>'),
)

FOLDS = (
    StateWidget(
        "fold, details",
        "Fold details",
        "expanded",
        "collapsed",
        "<details @open|@><summary>Fold details</summary>Body</details>",
    ),
    StateWidget(
        "fold, aria", "Fold aria", "expanded", "collapsed", "<button aria-expanded=@true|false@>Fold aria</button>"
    ),
    StateWidget(
        "fold, class",
        "Fold class",
        "expanded",
        "",
        f'<div class="accordion-item @open|@"><div class=head style="{TEXT}">Fold class</div></div>',
    ),
    StateWidget(
        "fold, body",
        "Fold body",
        "expanded",
        "collapsed",
        f'<div class="faq"><div class=q style="{TEXT}">Fold body</div><div style="display:@block|none@">Answer'
        "</div></div>",
    ),
    StateWidget(
        "fold, collapsed",
        "Fold shut",
        "",
        "collapsed",
        f'<div class="acc-head @|collapsed@" style="{TEXT}">Fold shut</div>',
    ),
    StateWidget(
        "fold, is", "Fold is", "expanded", "", f'<div class="row-x @is-expanded|@" style="{TEXT}">Fold is</div>'
    ),
    StateWidget(
        "fold, height",
        "Fold height",
        "expanded",
        "collapsed",
        f'<div class="collapsible"><div class=hd style="{TEXT}">Fold height</div><div style="overflow:hidden;'
        'height:@auto|0@">Body</div></div>',
    ),
)

ARROW = 'onclick="" style="cursor:pointer;padding:0 4px"'
SWATCH = "display:inline-block;width:20px;height:20px;margin:3px;border-radius:50%"

DRAWN = (
    StateWidget(
        "fold, arrow",
        "@▾|▸@ (Fold arrow)",
        "expanded",
        "collapsed",
        f"<table><tr><td><span class=twist {ARROW}>@▾|▸@</span><td>Fold arrow</tr>"
        f"<tr><td><span class=twist {ARROW}>@▸|▾@</span><td>Fold other</tr></table>",
    ),
    items(
        "sign",
        "Stars",
        "on",
        "<p>"
        + "".join(
            f"<span onclick='' title='{name}'>{sign}</span>"
            for name, sign in (("Star first", "★"), ("Stars sign", "@★|☆@"), ("Star last", "☆"))
        )
        + "</p>",
    ),
    items(
        "without class",
        "Stars",
        "on",
        '<div class="x-rating">'
        + "".join(
            f"<button style='color:{ink}' aria-label='{name}'>★</button>"
            for name, ink in (("Star i", "orange"), ("Stars without class", "@orange|#bbb@"), ("Star iii", "#bbb"))
        )
        + "</div>",
    ),
    items(
        "ring",
        "Colour",
        "selected",
        "<div>"
        + "".join(
            f"<i class='dot {ring}' onclick='' title='{name}' style='background:{ink};{SWATCH}'></i>"
            for name, ink, ring in (
                ("Colour ring", "red", "@ringed|@"),
                ("Colour b", "green", "@|ringed@"),
                ("Colour c", "blue", ""),
            )
        )
        + "</div>",
        ".dot.ringed{outline:2px solid #000;outline-offset:2px}",
    ),
)

STARS = (
    items(
        "class",
        "Stars",
        "on",
        "<div class=rating>"
        + "".join(
            f'<span class="star {fill}" style="{TEXT}" title="{name}">★</span>'
            for name, fill in (("Star one", "filled"), ("Stars class", "@filled|@"), ("Star three", ""))
        )
        + "</div>",
    ),
    items(
        "colour",
        "Stars",
        "on",
        "<div class=rate>"
        + "".join(
            f'<span class="star-c" style="{TEXT};color:{colour}" title="{name}">★</span>'
            for name, colour in (("Star a", "gold"), ("Stars colour", "@gold|#ccc@"), ("Star c", "#ccc"))
        )
        + "</div>",
    ),
    items(
        "heart",
        "Icon",
        "on",
        f'<div><i class="heart @liked|@" style="{TEXT};width:16px;height:16px" title="Icon heart"></i></div>',
    ),
    items(
        "pin",
        "Icon",
        "on",
        f'<span class="pin-icon @is-pinned|@" style="{TEXT};width:16px;height:16px" title="Icon pin"></span>',
    ),
)

PLAIN = (
    # Classes that sound like a state and are none: nothing may be told of them.
    items("status", "Plain", "", f'<div class="status-active" style="{TEXT}">Plain status</div>'),
    items("shown as active", "Plain", "", f'<div class="badge active" style="{TEXT}">Plain shown as active</div>'),
    items(
        "variants",
        "Plain",
        "",
        f'<div class="active:bg-blue-500 data-[state=on]:bg-red" style="{TEXT}">Plain variants</div>',
    ),
    items("add-on", "Plain", "", f'<button class="add-on sign-on btn" style="{TEXT}">Plain add-on</button>'),
    items("interactive", "Plain", "", f'<div class="interactive-row openly" style="{TEXT}">Plain interactive</div>'),
    items(
        "primary",
        "Plain",
        "",
        '<div><button class=btn style="background:#06c">Plain primary</button>'
        "<button class=btn>Cancel</button><button class=btn>Reset</button></div>",
    ),
    items("arrow", "Plain", "", f"<div>Menu <span class=opens {ARROW} title='Plain arrow'>▾</span></div>"),
    items(
        "colour",
        "Plain",
        "",
        "<div>"
        + "".join(
            f"<i class=ink onclick='' title='{name}' style='background:{ink};{SWATCH}'></i>"
            for name, ink in (("Plain colour", "red"), ("Ink b", "green"), ("Ink c", "blue"))
        )
        + "</div>",
    ),
    items("issue", "Plain", "", f'<div class="issue open" style="{TEXT}">Plain issue</div>'),
    items("tooltip", "Plain", "", "<button data-state=closed>Plain tooltip</button>"),
)

WIDGETS: tuple[StateWidget, ...] = (*SWITCHES, *BOXES, *CHOICES, *FOLDS, *DRAWN, *STARS)
