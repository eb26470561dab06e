"""Clients that others made, driven by scripts against one server. `python bench/clients.py` tries the others too."""

import asyncio
from pathlib import Path

import pytest

from clients.catalog import CLIENTS, FEATURES, TESTED, open_place, try_client
from pilotfish.browser.sessions.browser_pool import BrowserPool

ROOT = Path(__file__).resolve().parents[2]
HERE = [client for client in CLIENTS if client.script.endswith(".mjs")]


@pytest.mark.slow
async def test_every_feature_that_the_clients_have_works_with_them(tmp_path: Path, pool: BrowserPool) -> None:
    async with open_place(tmp_path) as (running, told):
        running.fish.browsers.pool.living_browser = pool.living_browser
        tried = await asyncio.gather(*(try_client(client, told, ROOT / "ui") for client in HERE))
    assert not [
        (client.name, feature, why)
        for client, found in zip(HERE, tried, strict=True)
        for feature, why in found.items()
        if why
    ]


def test_the_table_in_the_docs_names_what_each_script_tries() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/clients.md").read_text().splitlines()
        if line.startswith("|")
    ]
    head = next(row for row in rows if CLIENTS[0].name in row)
    table = {row[0]: dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head)}
    known = {client.name: set(client.features) for client in CLIENTS}
    for client in CLIENTS:
        text = (Path(__file__).parent / client.script).read_text()
        tried = 'await check("{}", ' if client.script.endswith(".mjs") else "async def {}() -> None:"
        assert [feature for feature in client.features if tried.format(feature) not in text] == [], client.name
    for name, (path, shown) in TESTED.items():
        known[name] = set(shown)
        text = (ROOT / path).read_text()
        assert all(f"async def {test}(" in text for test in shown.values()), name
    assert set(head[1:]) == known.keys()
    for name, features in known.items():
        for feature, title in FEATURES.items():
            assert (table[title][name] == "yes") == (feature in features), (name, title)
