"""Typing into fields that pages draw anew, filter by, set back or take away."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import fields
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

REDRAWN = """<div id=app></div><script>let text = '', keys = [];
document.body.onkeydown = (event) => { if (event.target === document.body) keys.push(event.key) };
const draw = (typed) => { text = typed; app.innerHTML = `<h2>Mail</h2><input aria-label="Search mail" value="${text}"
  oninput="draw(this.value)"><ul>${['tea', 'coffee', 'milk'].filter((each) => each.includes(text)).map((each) =>
  `<li><a href="#${each}">${each}</a></li>`).join('')}</ul>`; FOCUS };
draw('')</script>"""
REFOCUS = (
    "if (typed) { const field = app.querySelector('input'); field.focus(); field.setSelectionRange(text.length,"
    " text.length) }"
)


@pytest.mark.parametrize("focus", ["", REFOCUS], ids=["the focus is lost", "the focus is kept"])
async def test_a_field_that_is_drawn_anew_at_every_key_gets_the_whole_text(
    session: BrowserSession, site: Site, focus: str
) -> None:
    await visit(session, site, REDRAWN.replace("FOCUS", focus))
    field = number(session, "Search mail")
    change = await fields.type_text(session, field, "coff")
    assert await js(session, "text") == "coff"
    assert await js(session, "keys") == []
    assert f"Typed 'coff' into [{field}] textbox \"Search mail\"." in change.text()
    assert [e.name for e in change.view.elements if e.role == "link"] == ["coffee"]
    assert number(session, "Search mail") == field
    assert "2 rows fewer" in change.headline


async def test_a_list_that_is_filtered_a_moment_after_typing_is_waited_for(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<input type=search aria-label=Filter><ul id=list><li>tea<li>coffee<li>milk</ul><script>
        let timer; document.querySelector('input').addEventListener('input', ({ target }) => { clearTimeout(timer);
        timer = setTimeout(() => [...list.children].forEach((li) => li.hidden = !li.textContent.includes(target.value)),
        350) })</script>""",
    )
    change = await fields.type_text(session, number(session, "Filter"), "tea")
    assert 'Rows gone: "coffee"; "milk".' in change.text()


async def test_a_number_is_read_back_when_the_page_has_had_its_say(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<input type=number aria-label=Budget value=300 onchange="setTimeout(() => this.value =
        Math.min(this.value, 500), 20)"><p id=out>none</p>""",
    )
    field = number(session, "Budget")
    assert 'and it now holds "500"' in (await fields.type_text(session, field, "800")).action
    change = await fields.type_text(session, field, "400")
    assert change.action == f"Typed '400' into [{field}] spinbutton \"Budget\""
    assert change.headline == 'spinbutton "Budget": "500" → "400"'


async def test_a_number_that_the_page_sets_back_by_a_timer_is_told_as_it_is_then(
    session: BrowserSession, site: Site
) -> None:
    await visit(
        session,
        site,
        """<input type=number aria-label=Rate value=300><input type=number aria-label=Plain value=1><script>
        document.querySelector('input').addEventListener('change', ({ target }) =>
        setTimeout(() => target.value = 300, 400))</script>""",
    )
    change = await fields.type_text(session, number(session, "Rate"), "800")
    assert 'and it now holds "300"' in change.action and change.headline == "nothing changed"
    assert "now holds" not in (await fields.type_text(session, number(session, "Plain"), "2")).action


async def test_a_text_that_the_page_takes_out_of_the_field_is_no_failure(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<ul id=tags></ul><input aria-label=Tags oninput="if (this.value.endsWith(',')) {
        tags.insertAdjacentHTML('beforeend', `<li>${this.value.slice(0, -1)}</li>`); this.value = '' }">""",
    )
    change = await fields.type_text(session, number(session, "Tags"), "tea,")
    assert 'New text: "tea".' in change.text() and "the field is empty again" in change.action
    assert await js(session, "tags.children.length") == 1


async def test_a_field_that_goes_away_with_its_text_is_no_failure(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<p id=box><input aria-label=Code oninput="if (this.value.length > 3) box.textContent = 'Welcome'"></p>""",
    )
    change = await fields.type_text(session, number(session, "Code"), "1234")
    assert 'New text: "Welcome".' in change.text() and "the field is gone now" in change.action


async def test_a_field_that_takes_nothing_is_a_failure(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<input aria-label=Shut oninput=\"this.value = ''\">")
    with pytest.raises(ToolError, match="did not take the text; it is still empty"):
        await fields.type_text(session, number(session, "Shut"), "x")


PARTS = """<textarea aria-label=Plain>one  two
three two</textarea><div contenteditable role=textbox aria-label=Rich><p>Tea is <b>at</b> five.</p><p>Bring cake.</p>
</div><input type=email aria-label=Mail value=a@b.c><input type=password aria-label=Code value=secret>"""


async def test_a_part_of_a_field_is_typed_over_and_the_rest_stays(session: BrowserSession, site: Site) -> None:
    await visit(session, site, PARTS)
    field = number(session, "Plain")
    change = await fields.replace_part(session, field, "one two", "1 and 2")
    assert await js(session, "document.querySelector('textarea').value") == "1 and 2\nthree two"
    assert (
        change.action.startswith(f"Typed '1 and 2' over 'one two' in [{field}] textbox")
        and "holds" not in change.action
    )
    change = await fields.replace_part(session, number(session, "Rich"), "at five. Bring", "at six. Eat")
    rich = str(await js(session, "document.querySelector('[contenteditable]').innerText"))
    assert " ".join(rich.split()) == "Tea is at six. Eat cake."
    await fields.replace_part(session, number(session, "Plain"), " and 2", "")
    assert await js(session, "document.querySelector('textarea').value") == "1\nthree two"


@pytest.mark.parametrize(
    ("field", "part", "why"),
    [
        ("Plain", "two", "2 times"),
        ("Plain", "four", "does not hold"),
        ("Mail", "a", "cannot be selected"),
        ("Code", "secret", "cannot be selected"),
    ],
)
async def test_a_part_that_is_not_there_once_is_not_typed_over(
    session: BrowserSession, site: Site, field: str, part: str, why: str
) -> None:
    await visit(session, site, PARTS)
    with pytest.raises(ToolError, match=why):
        await fields.replace_part(session, number(session, field), part, "x")
    assert await js(session, "document.querySelector('textarea').value") == "one  two\nthree two"


async def test_a_change_in_the_middle_of_a_long_field_is_told(session: BrowserSession, site: Site) -> None:
    lines = "\n".join(f"Line {n} has words." for n in range(50))
    view = await visit(session, site, f"<label>Note <textarea rows=3>{lines}</textarea></label>")
    assert "more characters …" in view.text
    change = await fields.replace_part(session, number(session, "Note"), "Line 30 has words.", "Thirty.")
    assert "Changed: [" in change.text() and "Nothing changed" not in change.text()
