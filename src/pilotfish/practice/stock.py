"""The first state of a world: goods, letters, topics, staff and cards, from the files in `data/`.

A seed other than 0 moves all prices by one factor and turns the order of the catalogue, so that what is cheapest
stays so while figures and places differ.
"""

import random
import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
PAGE_SIZE = 10


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


def table(name: str) -> dict[str, Any]:
    """A data file's content, as a copy that may be changed."""
    return deepcopy(_table(name))


def make_goods(seed: int) -> list[dict[str, Any]]:
    products: list[dict[str, Any]] = table("goods")["goods"]
    if seed:
        dice = random.Random(seed)
        factor = dice.uniform(0.8, 1.4)
        turn = dice.randrange(len(products))
        products = products[turn:] + products[:turn]
        for product in products:
            product["price"] = round(product["price"] * factor)
    return products


def staff() -> list[dict[str, Any]]:
    """Forty-eight people, always the same; names are made by pairing, so that all differ."""
    parts = table("staff")
    firsts, lasts, roles, offices = parts["first"], parts["last"], parts["role"], parts["office"]
    return [
        {
            "id": 101 + i,
            "name": f"{firsts[i % len(firsts)]} {lasts[(i * 5) % len(lasts)]}",
            "role": roles[(i * 3) % len(roles)],
            "office": offices[(i * 7) % len(offices)],
            "salary": 31_000 + (i * 7_919) % 45_000,
            "started": f"{2012 + (i * 5) % 13}-{1 + (i * 7) % 12:02}-{1 + (i * 11) % 28:02}",
            "status": "active",
        }
        for i in range(48)
    ]


def first_state(seed: int) -> dict[str, Any]:
    """The state of a world that nobody has touched."""
    forum = table("forum")["topic"]
    return {
        "goods": make_goods(seed),
        "cart": [],
        "coupon": "",
        "wishlist": [],
        "orders": [],
        "user": None,
        "token": "",
        "profile": {
            "name": "Mira Holt",
            "phone": "0401 555 017",
            "language": "English",
            "newsletter": False,
            "password": "lantern-42",
        },
        "forms": {},
        "booking": {},
        "booked": [],
        "staff": staff(),
        "mail": table("mail")["mail"],
        "topics": forum,
        "todos": [
            {"id": 1, "text": "Water the fern", "done": False},
            {"id": 2, "text": "Renew library card", "done": True},
            {"id": 3, "text": "Fix the garden gate", "done": False},
        ],
        "preferences": {"theme": "light", "name": "", "alerts": True, "sharing": False},
        "board": {
            "backlog": ["Paint the jetty", "Order rope", "Count the buoys"],
            "doing": ["Repair the crane"],
            "done": ["Clean the slipway"],
        },
        "ranking": ["Bread", "Cheese", "Apples", "Honey"],
        "liked": [],
        "pinned": [],
        "files": [],
        "tries": {},
    }
