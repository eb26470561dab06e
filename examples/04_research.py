"""Research with search, pages and memory, over a search engine and a small web on this machine alone.

The engine speaks as SearXNG does; with a real one, set `search.searxng_url` and leave out the rest.
"""

import asyncio
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pilotfish import Pilotfish
from pilotfish.core.events import Noted, RunFinished, ToolFinished

QUESTION = "I always travel with my bicycle. Which ferry to Gull Island is cheaper for me, and what does it cost?"
FACT = "The user always travels with a bicycle"
PAGES = {
    "/lantern": (
        "Lantern Line: prices",
        "A return ticket to Gull Island costs 14 crowns. Bicycles travel free on every crossing except on Mondays.",
    ),
    "/heron": (
        "Heron Ferries: prices",
        "A return ticket to Gull Island costs 11 crowns. A bicycle costs 6 crowns extra each way.",
    ),
    "/museum": ("Gull Island Museum", "The museum shows old nets and lamps and is open from May to September."),
}


class Handler(BaseHTTPRequestHandler):
    """A search engine at /search and pages beside it."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path == "/search":
            self.answer("application/json", json.dumps({"results": self.found(parse_qs(asked.query)["q"][0])}))
        elif asked.path in PAGES:
            title, text = PAGES[asked.path]
            page = f"<title>{title}</title><article><h1>{title}</h1><p>{text}</p></article>"
            self.answer("text/html; charset=utf-8", page)
        else:
            self.send_error(404)

    def found(self, query: str) -> list[dict[str, str]]:
        words = set(query.lower().split())
        ranked = sorted(PAGES.items(), key=lambda page: -len(words & set(" ".join(page[1]).lower().split())))
        here = f"http://{self.headers['host']}"
        return [{"url": here + path, "title": title, "content": text[:60]} for path, (title, text) in ranked]

    def answer(self, media: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", media)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


async def main() -> None:
    async with Pilotfish() as fish:
        await fish.memory.save("local", [{"content": FACT, "category": "preference"}])
        async for event in fish.run(QUESTION, loop="react"):
            match event:
                case ToolFinished():
                    print(f"{event.tool}: {event.text or event.error}")
                case Noted(topic="estimate"):
                    print(event.text)
                case RunFinished():
                    print(f"\n{event.text or event.error}")
                case _:
                    pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    web = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    os.environ["PILOTFISH_SEARCH__SEARXNG_URL"] = f"http://127.0.0.1:{web.server_port}"
    os.environ["PILOTFISH_FETCH__ALLOW_PRIVATE"] = "true"
    asyncio.run(main())
    web.shutdown()
