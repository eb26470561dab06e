"""Data that a run was asked for, on the web page: a table with the place of each row, and files of it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from pilotfish.app import loop
from pilotfish.runtime.run import Run

from .stage import Stage
from .test_screens import look

pytestmark = pytest.mark.slow
SHOPS = ("https://north.example/kettles", "https://south.example/kettles")


@loop("test-offers")
async def offers(run: Run) -> None:
    """Finish with rows of one or of several shops."""
    shops = SHOPS[: int(run.task.split()[0])]
    rows = [{"name": f"Kettle {at}", "price": 30.5 + at, "rating": None if at % 5 else 4.5} for at in range(24)]
    places: list[dict[str, Any]] = [
        {
            "url": shops[at % len(shops)],
            "page": 1,
            "row": at,
            "said": {"name": row["name"], "price": f"€ {row['price']}"},
        }
        for at, row in enumerate(rows)
    ]
    await run.finish("24 rows", data=rows, places=places)


@pytest.mark.parametrize("count", [1, 2])
async def test_rows_are_shown_with_their_places_and_can_be_downloaded(
    stage: Stage, page: Page, tmp_path: Path, count: int
) -> None:
    run, talk = await stage.start("offers", f"{count} shops: name and price of every kettle")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    table = page.locator(".data-table")
    await expect(table.locator("tbody tr")).to_have_count(20)
    await table.get_by_role("button", name="Show all 24 rows").click()
    await expect(table.locator("tbody tr")).to_have_count(24)
    first = table.locator("tbody tr").first
    await expect(first).to_contain_text("30.5")
    link = first.get_by_role("link", name="north.example")
    await expect(link).to_have_attribute("href", f"{SHOPS[0]}#:~:text=Kettle%200")
    await expect(link).to_have_attribute("title", f"{SHOPS[0]}\nname: “Kettle 0”\nprice: “€ 30.5”")
    if count == 2:
        await look(page, "data-table")
        await page.set_viewport_size({"width": 1280, "height": 800})
    async with page.expect_download() as saved:
        await table.get_by_role("link", name="CSV").click()
    await (await saved.value).save_as(tmp_path / "offers.csv")
    head, row, *_ = (tmp_path / "offers.csv").read_text().splitlines()
    assert head == ("name,price,rating,found_at" if count == 2 else "name,price,rating")
    assert row.startswith("Kettle 0,30.5,4.5") and row.endswith("Kettle%200" if count == 2 else "4.5")
    await stage.open(page, f"/runs/{run}")
    await expect(page.locator(".data-table").get_by_role("link", name="CSV")).to_be_visible()
    await expect(page.locator(".data-table tbody tr")).to_have_count(20)
