"""Shortcuts in a real browser: done again with other words, without a model unless an element has changed."""

import pytest

from agents.scene import acts, end, id_of, page_of
from pilotfish.core import events
from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.messages import ModelRequest
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
DONE = {"answer": "It is in the cart.", "evidence": ["Cart (1)"]}
TASK = "Put the Tide kettle into the cart"


def slugs(site: Practice, world: str) -> list[str]:
    return [e.details["slug"] for e in site.log(world) if e.kind == "cart.added"]


async def test_a_run_becomes_a_command_that_needs_no_model(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts("Tide kettle", {"tool": "click", "id": {"role": "button", "name": "Add to cart"}}, done=DONE)])
    first = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "s1")])
    made = await fish.save_shortcut(first[0].run, "mill", {"name": "Tide kettle"})
    assert made.task == "Put the {name} into the cart" and [e.name for e in await fish.shortcuts.list("local")] == [
        "mill"
    ]
    model = script(fish, [])
    record = await fish.use_shortcut("mill", {"name": "Oat bowl"})
    story = [e async for e in fish.follow(record.id)]
    assert (record.task, end(story).text) == ("Put the Oat bowl into the cart", "Done again: 2 steps.")
    assert slugs(site, "s1") == ["tide-kettle", "oat-bowl"] and not model.requests
    with pytest.raises(PersonError, match="name has no value"):
        await fish.use_shortcut("mill")
    with pytest.raises(PersonError, match="There is a shortcut mill already"):
        await fish.save_shortcut(first[0].run, "mill")
    with pytest.raises(NotFoundError, match="There is no shortcut 'mill'"):
        await fish.use_shortcut("mill", {"name": "Oat bowl"}, user="ann")


async def test_what_changed_is_found_by_a_model_once_and_kept(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts("Tide kettle", {"tool": "click", "id": {"role": "button", "name": "Add to cart"}}, done=DONE)])
    first = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "s2")])
    made = await fish.save_shortcut(first[0].run, "mill", {"name": "Tide kettle"})
    old = made.recipe.actions[1]
    renamed = old.elements["id"].model_copy(update={"name": "Put {name} into the basket"})
    actions = (made.recipe.actions[0], old.model_copy(update={"elements": {"id": renamed}}))
    recipe = made.recipe.model_copy(update={"actions": actions})
    await fish.shortcuts.put("local", made.model_copy(update={"recipe": recipe}))

    def find(request: ModelRequest) -> str:
        return f'{{"why": "it does the same", "id": {id_of(page_of(request), "Add to cart")}}}'

    model = script(fish, [find])
    record = await fish.use_shortcut("mill", {"name": "Tea tin"})
    story = [e async for e in fish.follow(record.id)]
    assert end(story).text == "Done again: 2 steps; 1 of them had to be found anew." and len(model.requests) == 1
    notes = [e.text for e in story if isinstance(e, events.Noted) and e.topic == "replacement"]
    assert notes[-1] == "Kept in the shortcut mill."
    kept = await fish.shortcuts.get("local", "mill")
    assert kept.replacements == 1 and kept.recipe.actions[1].elements["id"].name == "Add to cart"
    silent = script(fish, [])
    again = await fish.use_shortcut("mill", {"name": "Oat bowl"})
    assert end([e async for e in fish.follow(again.id)]).text == "Done again: 2 steps." and not silent.requests
    assert slugs(site, "s2") == ["tide-kettle", "tea-tin", "oat-bowl"]


async def test_a_shortcut_may_do_no_more_than_the_policy_says(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts("Tide kettle", {"tool": "click", "id": {"role": "button", "name": "Add to cart"}}, done=DONE)])
    first = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "s3")])
    await fish.save_shortcut(first[0].run, "mill", {"name": "Tide kettle"})
    record = await fish.use_shortcut("mill", {"name": "Oat bowl"}, policy="read_only")
    ended = end([e async for e in fish.follow(record.id)])
    assert ended.outcome == "failed" and "the policy says no" in ended.error
    assert slugs(site, "s3") == ["tide-kettle"]
    failed = await events_of(fish, "nothing", loop="replay", of="none")
    with pytest.raises(PersonError, match="did not end well"):
        await fish.save_shortcut(failed[0].run, "none")
