"""Search engines on loopback that answer in the shapes of the real ones."""

import json
from typing import Any

from .loopback import Asked, Reply, Site

KEY = "sk-very-secret-key"


def answer(value: Any) -> Reply:
    return Reply(json.dumps(value).encode(), media="application/json")


def row(number: int, query: str, kind: str) -> dict[str, str | None]:
    place = f"https://sea{number}.example.org/"
    picture = f"{place}a.png" if kind == "images" else None
    dated = {"publishedDate": "2026-01-02T00:00:00", "img_src": picture}
    return {"title": f"Tide {number}", "url": place, "content": f"about {query}", **dated}


def searxng(site: Site, count: int = 3) -> str:
    def search(asked: Asked) -> Reply:
        kind = asked.query.get("categories", "general")
        rows = [row(n, asked.query["q"], kind) for n in range(count)]
        return answer({"query": asked.query["q"], "results": rows, "unresponsive_engines": []})

    site.at("/search", search)
    return site.url


def brave(site: Site) -> str:
    def guarded(asked: Asked, value: Any) -> Reply:
        return answer(value) if asked.headers.get("x-subscription-token") == KEY else Reply(b"{}", 401)

    sea, film = "https://sea.example.org/", "https://film.example.org/"
    web = {"title": "<strong>Tide</strong> times", "url": sea, "description": "High <strong>tide</strong>"}
    clip = {"title": "Tide film", "url": film, "thumbnail": {"src": f"{film}a.jpg"}}
    site.at("/web/search", lambda asked: guarded(asked, {"web": {"results": [web]}}))
    site.at("/videos/search", lambda asked: guarded(asked, {"results": [clip]}))
    return site.url


def tavily(site: Site) -> str:
    def search(asked: Asked) -> Reply:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return Reply(b'{"detail": "no"}', 401)
        body = json.loads(asked.body)
        row = {"title": "Tide", "url": "https://sea.example.org/", "content": json.dumps(body), "score": 0.9}
        picture = {"url": "https://sea.example.org/a.png", "description": "a boat"}
        return answer({"results": [row], "images": [picture]})

    site.at("/search", search)
    return site.url


def google(site: Site) -> str:
    def search(asked: Asked) -> Reply:
        if asked.headers.get("x-goog-api-key") != KEY or asked.query.get("cx") != "engine":
            return Reply(b"{}", 403)
        if asked.query.get("searchType") == "image":
            place = {"contextLink": "https://sea.example.org/page"}
            return answer({"items": [{"title": "Boat", "link": "https://sea.example.org/a.png", "image": place}]})
        return answer({"items": [{"title": "Tide", "link": "https://sea.example.org/", "snippet": asked.query["q"]}]})

    site.at("/v1", search)
    return f"{site.url}/v1"
