"""Labelled pages: built the way common engines build theirs, with the main text known word by word."""

# ruff: noqa: E501 — markup and word lists read better unbroken

import random
from collections.abc import Callable
from dataclasses import dataclass

NOUNS = [
    "harbour",
    "lantern",
    "gasket",
    "orchard",
    "compass",
    "ferry",
    "kettle",
    "violin",
    "turbine",
    "meadow",
    "ledger",
    "anchor",
    "bakery",
    "glacier",
]
VERBS = [
    "holds",
    "turns",
    "carries",
    "mends",
    "follows",
    "measures",
    "crosses",
    "warms",
    "records",
    "lifts",
    "opens",
    "paints",
]
ADJECTIVES = [
    "quiet",
    "heavy",
    "narrow",
    "bright",
    "patient",
    "copper",
    "northern",
    "careful",
    "hollow",
    "early",
    "salted",
    "slow",
]
PLACES = [
    "near the old quay",
    "behind the mill",
    "on the third floor",
    "under the bridge",
    "along the coast",
    "at the station",
]
NAMES = ["mariner42", "TideWatcher", "old_salt", "Keelhaul", "bosun_jo", "driftwood_ann"]


@dataclass(frozen=True)
class Sample:
    kind: str
    name: str
    html: str
    text: str
    url: str = ""


class Writer:
    """Writes plain prose that is the same every time."""

    def __init__(self, seed: str) -> None:
        self._dice = random.Random(seed)

    def sentence(self) -> str:
        pick = self._dice.choice
        return (
            f"The {pick(ADJECTIVES)} {pick(NOUNS)} {pick(VERBS)} a {pick(ADJECTIVES)} {pick(NOUNS)} {pick(PLACES)},"
            f" and nobody {pick(VERBS)} the {pick(NOUNS)} before number {self._dice.randint(2, 99)}."
        )

    def prose(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def title(self) -> str:
        pick = self._dice.choice
        return f"{pick(ADJECTIVES).title()} {pick(NOUNS)} {self._dice.randint(100, 999)} with {pick(ADJECTIVES)} {pick(NOUNS)}"

    def price(self) -> str:
        return f"${self._dice.randint(5, 400)}.{self._dice.choice(['00', '95', '50'])}"


MENU = "".join(f'<li><a href="/{n}">{n}</a></li>' for n in ("Home", "Shop", "Stories", "Forum", "About us", "Contact"))
TOP = f"""<header class="site-header"><a href="/" class="logo">Saltmarsh Supply</a><nav><ul>{MENU}</ul></nav>
<form action="/search"><input name="q"><button>Search</button></form></header>"""
BOTTOM = f"""<footer class="footer"><div class="newsletter"><h4>Join our newsletter</h4><p>Get weekly letters from the coast,
new arrivals and stories, straight to your inbox.</p></div><ul>{MENU}</ul><p>© 2026 Saltmarsh Supply Ltd. All rights
reserved. Registered office: 4 Quay Lane. Privacy policy, terms of sale and cookie settings apply.</p></footer>
<div class="cookie-banner">We use cookies to improve your visit. <button>Accept all</button></div>"""


def whole(title: str, inner: str, head: str = "", attributes: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>{title} | Saltmarsh Supply</title>{head}<script>var a=1</script></head>"
        f"<body {attributes}>{TOP}{inner}{BOTTOM}<script>track()</script></body></html>"
    )


def teasers(writer: Writer, heading: str, count: int = 4) -> str:
    cards = "".join(
        f'<li><a href="/x"><img src="x.png"><h4>{writer.title()}</h4></a><p>{writer.sentence()}</p></li>'
        for _ in range(count)
    )
    return f'<section class="recs"><h3>{heading}</h3><ul>{cards}</ul></section>'


def news(w: Writer) -> Sample:
    title, parts = w.title(), [w.prose(4) for _ in range(7)]
    inner = f"""<div class="breadcrumbs"><a href="/">Home</a> <a href="/news">News</a></div><main><article><h1>{title}</h1>
    <div class="byline">By Ines Prado, 4 March 2026</div><div class="share-buttons"><a>Share</a> <a>Tweet</a></div>
    {"".join(f"<p>{part}</p>" for part in parts[:4])}<blockquote>{parts[4]}</blockquote><h2>What comes next</h2>
    {"".join(f"<p>{part}</p>" for part in parts[5:])}</article>{teasers(w, "Related stories")}
    <section id="comments" class="comments-area"><h3>3 comments</h3><ol><li class="comment"><p>{w.prose(2)}</p></li>
    <li class="comment"><p>{w.prose(2)}</p></li></ol></section></main><aside class="sidebar">{teasers(w, "Most read")}</aside>"""
    return Sample("article", "news", whole(title, inner), "\n".join([*parts[:5], "What comes next", *parts[5:]]))


def blog(w: Writer) -> Sample:
    title, parts, code = w.title(), [w.prose(3) for _ in range(5)], "tide = measure(harbour)\nprint(tide.height)"
    items = [w.sentence() for _ in range(4)]
    inner = f"""<div id="wrap"><div id="content"><div class="post hentry"><h1 class="entry-title">{title}</h1>
    <div class="entry">{"".join(f"<p>{part}</p>" for part in parts[:3])}<pre><code>{code}</code></pre>
    <ul>{"".join(f"<li>{item}</li>" for item in items)}</ul>{"".join(f"<p>{part}</p>" for part in parts[3:])}</div>
    <p class="tags">Tags: <a href="/t">tides</a>, <a href="/t">boats</a></p></div></div>
    <div id="secondary" class="widget-area">{teasers(w, "Recent posts", 6)}</div></div>"""
    return Sample("article", "blog", whole(title, inner), "\n".join([*parts[:3], code, *items, *parts[3:]]))


def post_phpbb(w: Writer, name: str, text: str) -> str:
    return f"""<div id="p1" class="post has-profile bg2"><div class="inner"><dl class="postprofile"><dt><a class="username">{name}</a>
    </dt><dd class="profile-rank">Able seaman</dd><dd class="profile-posts"><strong>Posts:</strong> 1204</dd>
    <dd class="profile-joined"><strong>Joined:</strong> Tue Mar 03, 2009 8:14 pm</dd><dd>Location: Northern docks</dd></dl>
    <div class="postbody"><ul class="post-buttons"><li><a>Quote</a></li><li><a>Report</a></li></ul>
    <div class="content">{text}</div><div class="signature">Sail on, sailor. Fair winds to all of you out there.</div></div>
    </div></div>"""


def phpbb(w: Writer) -> Sample:
    title, texts = w.title(), [w.prose(3 + n % 3) for n in range(6)]
    posts = "".join(post_phpbb(w, name, text) for name, text in zip(NAMES, texts, strict=True))
    inner = f"""<div id="page-body"><h2 class="topic-title">{title}</h2><div class="action-bar"><a>Post Reply</a>
    <div class="pagination">6 posts • Page 1 of 1</div></div>{posts}<div class="action-bar"><a>Post Reply</a></div>
    <div class="stat-block online-list"><h3>Who is online</h3><p>Users browsing this forum: Google [Bot] and 7 guests</p></div></div>"""
    text = "\n".join([title, *(f"{name}\n{body}" for name, body in zip(NAMES, texts, strict=True))])
    return Sample("forum", "phpbb", whole(title, inner, attributes='id="phpbb" class="nojs section-viewtopic"'), text)


def qa(w: Writer) -> Sample:
    title, question, answers = w.title(), w.prose(4), [w.prose(4) for _ in range(3)]
    card = '<div class="user-info"><div class="user-action-time">answered Mar 4</div><div class="user-details">Keelhaul 12.1k 4 31</div></div>'
    vote = '<div class="votecell"><div class="vote">17</div></div>'

    def cell(kind: str, text: str) -> str:
        return f"""<div class="{kind}">{vote}<div class="postcell"><div class="s-prose js-post-body"><p>{text}</p></div>
        <div class="post-menu"><a>Share</a><a>Improve this answer</a><a>Follow</a></div>{card}</div></div>"""

    related = "".join(f'<div class="spacer"><a href="/q">{w.title()}</a></div>' for _ in range(10))
    inner = f"""<div id="mainbar"><h1>{title}</h1>{cell("question", question)}<div id="answers">
    <h2>3 Answers</h2>{"".join(cell("answer", text) for text in answers)}</div></div>
    <div id="sidebar"><div class="module sidebar-related"><h4>Related</h4>{related}</div></div>"""
    head = '<script type="application/ld+json">{"@type": "QAPage", "mainEntity": {"@type": "Question"}}</script>'
    return Sample("forum", "qa", whole(title, inner, head), "\n".join([title, question, *answers]))


def discourse(w: Writer) -> Sample:
    title, texts = w.title(), [w.prose(2 + n % 4) for n in range(6)]
    posts = "".join(
        f"""<article class="topic-post"><div class="topic-avatar"><img alt=""></div><div class="topic-body"><div class="names">
        <span class="username">{name}</span></div><div class="post-date">2d</div><div class="cooked"><p>{text}</p></div>
        <nav class="post-controls"><a>Like</a><a>Reply</a></nav></div></article>"""
        for name, text in zip(NAMES, texts, strict=True)
    )
    rows = "".join(f"<tr><td><a href='/t'>{w.title()}</a></td><td>{n}</td><td>Mar 2026</td></tr>" for n in range(5))
    inner = f"""<div id="main-outlet"><h1>{title}</h1><div class="posts">{posts}</div><div class="suggested-topics">
    <h3>Suggested topics</h3><table><tr><th>Topic</th><th>Replies</th><th>Activity</th></tr>{rows}</table></div></div>"""
    return Sample(
        "forum",
        "discourse",
        whole(title, inner, '<meta name="generator" content="Discourse 3.2">'),
        "\n".join([title, *(f"{n}\n{t}" for n, t in zip(NAMES, texts, strict=True))]),
    )


def shop(w: Writer) -> Sample:
    title, price, about, facts = (
        w.title(),
        w.price(),
        [w.prose(3), w.prose(2)],
        [(w.title(), w.title()) for _ in range(6)],
    )
    rows = "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in facts)
    inner = f"""<main id="MainContent"><nav class="breadcrumb"><a>Home</a> / <a>Lamps</a></nav><div class="product"><div class="gallery">
    <img><img></div><div class="product__info"><h1>{title}</h1><div class="price">{price}</div><form><label>Quantity</label>
    <select><option>1</option></select><button>Add to cart</button></form><div class="product__description"><p>{about[0]}</p>
    <p>{about[1]}</p></div><table class="specs">{rows}</table></div></div>{teasers(w, "You may also like")}
    {teasers(w, "Recently viewed", 3)}</main>"""
    head = '<meta property="og:type" content="product"><script type="application/ld+json">{"@type":"Product","name":"x"}</script>'
    text = "\n".join([title, price, *about, *(f"{a} {b}" for a, b in facts)])
    return Sample("product", "shop", whole(title, inner, head), text)


def market(w: Writer) -> Sample:
    title, price, points, about = w.title(), w.price(), [w.sentence() for _ in range(5)], w.prose(5)
    inner = f"""<div id="dp"><div id="nav-subnav"><a>Deals</a> <a>Gift ideas</a> <a>Sell</a></div><div id="centerCol">
    <h1 id="title"><span>{title}</span></h1><span class="price">{
        price
    }</span><div id="feature-bullets"><h2>About this item</h2><ul>
    {
        "".join(f"<li><span>{point}</span></li>" for point in points)
    }</ul></div></div><div id="rightCol"><div id="buybox"><button>
    Add to Cart</button><a>Add to list</a></div></div><div id="description"><h2>Description</h2><p>{about}</p></div>
    <div class="similarities"><h2>Customers who bought this also bought</h2><ol>{
        "".join(f"<li><a href='/d'>{w.title()}</a><span>{w.price()}</span></li>" for _ in range(8))
    }</ol></div></div>"""
    head = '<script type="application/ld+json">{"@type":"Product","offers":{"@type":"Offer"}}</script>'
    return Sample(
        "product",
        "market",
        whole(title, inner, head),
        "\n".join([title, price, "About this item", *points, "Description", about]),
    )


def grid(w: Writer) -> Sample:
    items = [(w.title(), w.price()) for _ in range(16)]
    cards = "".join(
        f"""<li class="grid__item"><div class="card"><a href="/products/{n}"><img src="x.png"></a><h3><a href="/products/{n}">{name}</a>
        </h3><span class="price">{price}</span><button>Add to cart</button></div></li>"""
        for n, (name, price) in enumerate(items)
    )
    about = w.prose(2)
    facets = "".join(f"<li><label><input type=checkbox> {word} ({n})</label></li>" for n, word in enumerate(NOUNS))
    inner = f"""<main><h1>Lamps and lanterns</h1><div class="collection-description"><p>{about}</p></div><div class="facets">
    <h4>Filter by</h4><ul>{facets}</ul></div><ul class="product-grid">{cards}</ul>
    <div class="pagination"><a>1</a> <a>2</a> <a>Next</a></div></main>"""
    text = "\n".join(["Lamps and lanterns", about, *(f"{name} {price}" for name, price in items)])
    return Sample("collection", "grid", whole("Lamps and lanterns", inner), text)


def index(w: Writer) -> Sample:
    entries = [(w.title(), w.sentence()) for _ in range(10)]
    cards = "".join(
        f"""<article class="teaser"><h2><a href="/story/{n}">{title}</a></h2><p>{text}</p>
        <a class="read-more" href="/story/{n}">Read more</a></article>"""
        for n, (title, text) in enumerate(entries)
    )
    inner = f"""<div id="main"><h1>Latest from the coast</h1><div class="list">{cards}</div><div class="pager"><a>Older</a></div></div>
    <div class="sidebar"><h3>Archives</h3><ul>{"".join(f"<li><a>{n} 2025</a></li>" for n in range(1, 12))}</ul></div>"""
    text = "\n".join(["Latest from the coast", *(f"{title}\n{text}" for title, text in entries)])
    return Sample("listing", "index", whole("Latest from the coast", inner), text)


def manual(w: Writer) -> Sample:
    names, codes = [w.title() for _ in range(4)], [f"harbour.open({n}, tide=low)" for n in range(4)]
    texts = [w.prose(2) for _ in range(4)]
    parts = "".join(
        f'<h2>{name}<a class="headerlink" href="#x">¶</a></h2><p>{text}</p><div class="highlight"><pre>{code}</pre></div>'
        for name, text, code in zip(names, texts, codes, strict=True)
    )
    tree = "".join(f'<li class="toctree-l1"><a href="/{n}">{w.title()}</a></li>' for n in range(25))
    inner = f"""<div class="sphinxsidebar"><h3>Table of Contents</h3><ul>{tree}</ul></div><div class="document"><div class="body" role="main">
    <h1>Harbour reference</h1>{parts}</div></div><div class="related"><a>next</a> | <a>previous</a> | <a>index</a></div>"""
    text = "\n".join(["Harbour reference", *(f"{n}\n{t}\n{c}" for n, t, c in zip(names, texts, codes, strict=True))])
    return Sample(
        "documentation", "manual", whole("Harbour reference", inner, '<meta name="generator" content="Sphinx 8">'), text
    )


BUILDERS: tuple[Callable[[Writer], Sample], ...] = (
    *(news, blog, phpbb, qa, discourse, shop, market, grid, index, manual),
)


def samples(copies: int = 1) -> list[Sample]:
    """Pages of every kind; each copy says other things."""
    return [build(Writer(f"{build.__name__} {copy}")) for build in BUILDERS for copy in range(copies)]
