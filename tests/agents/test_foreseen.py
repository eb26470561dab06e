"""Actions of one reply hold on slow and growing pages, and long fields are read whole and changed in part."""

from datetime import datetime

import pytest

from agents.scene import acts, as_json, click, end, history, id_of, page_of
from browser.stage import serve_site
from pilotfish.core.messages import ModelRequest
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

LATE = """<button onclick="later(700, () => panel.innerHTML = '<p>Ready to pack</p>' + pack)">Open</button>
<p id=state>Nothing packed yet</p><div id=panel></div>
<script>const later = (ms, act) => setTimeout(act, ms), pack = `<button onclick="later(700, () => {
  panel.innerHTML = '<p>Packed and sent</p>'; state.remove() })">Pack</button>`</script>"""


async def test_what_a_slow_page_brings_and_takes_a_moment_later_is_waited_for(opened: Open) -> None:
    fish = await opened()
    pack = {"tool": "click", "id": {"role": "button", "name": "Pack"}}
    done = {"answer": "It is packed.", "evidence": ["Packed and sent"], "gone": ["Nothing packed yet"]}
    with serve_site() as slow:
        model = script(fish, [acts("Open", pack, done=done), as_json(give_up={"reason": "x", "help": ""})])
        story = await events_of(fish, "Pack it", loop="horizon", tabs=[slow.html(LATE)])
        assert end(story).text == "It is packed.", history(model.requests[-1])
        script(fish, [lambda r: as_json(actions=[{**click(r, "Open"), "expect": "Ready to pack"}, pack], done=done)])
        story = await events_of(fish, "Pack it", loop="horizon", tabs=[slow.html(LATE)])
        assert end(story).text == "It is packed."


GROWING = """<input aria-label=Search><h2>Variables</h2><ul id=list></ul><button onclick="list.insertAdjacentHTML(
'beforeend', '<li style=height:HIGHpx><input class=key> <input class=value></li>')">Add</button>
<button onclick="out.textContent = [...list.querySelectorAll('input')].map((one) => one.value).join(' ')">Show</button>
<p id=out></p>"""


ASIDE = "<aside style='position: fixed; bottom: 0'><ul><li><input aria-label=Filter></li></ul></aside>"


@pytest.mark.parametrize(("high", "after", "last"), [(600, "", -1), (20, ASIDE, -2)])
async def test_each_of_many_goes_into_the_fields_that_were_added_last_also_below_the_screen(
    opened: Open, high: int, after: str, last: int
) -> None:
    fish = await opened()
    fields = [
        {"tool": "type", "id": {"role": "textbox", "nth": nth}, "text": f"{{{at}}}"}
        for at, nth in ((1, last - 1), (2, last))
    ]
    add, show = ({"tool": "click", "id": {"role": "button", "name": name}} for name in ("Add", "Show"))
    things = [["zone", "north"], ["pump", "p1"], ["fan", "f2"]]
    done = {"answer": "Shown.", "evidence": ["zone north pump p1 fan f2"]}
    with serve_site() as site:
        model = script(
            fish,
            [
                acts({"each": things, "actions": [add, *fields]}, show, done=done),
                as_json(give_up={"reason": "x", "help": ""}),
            ],
        )
        story = await events_of(
            fish, "Enter three", loop="horizon", tabs=[site.html(GROWING.replace("HIGH", str(high)) + after)]
        )
    assert end(story).text == "Shown.", history(model.requests[-1])


async def test_a_long_field_is_read_whole_and_a_part_of_it_is_changed(opened: Open) -> None:
    fish = await opened()
    letter = "We fly on 3 May at 07:15.\n\n" + "Bring a raincoat. " * 30 + "\n\nHotel Avenida, Rua das Flores 12."
    with serve_site() as notes:
        field = (
            f"<label>Note <textarea oninput='out.textContent = this.value.length'>{letter}</textarea></label><p id=out>"
        )

        def read(r: ModelRequest) -> str:
            return as_json(actions=[{"tool": "get_text", "id": id_of(page_of(r), "Note")}])

        def edit(r: ModelRequest) -> str:
            assert letter in "\n".join(message.text for message in r.messages)
            part = {"tool": "type", "id": id_of(page_of(r), "Note"), "part": "Hotel Avenida", "text": "Casa do Pátio"}
            return as_json(actions=[part], done={"answer": "Changed.", "evidence": [str(len(letter))]})

        script(fish, [read, edit])
        story = await events_of(fish, "Change the hotel", loop="horizon", tabs=[notes.html(field)])
    assert end(story).text == "Changed."


async def test_the_message_of_the_page_after_a_submit_stands_in_the_history_and_reading_goes_on_there(
    opened: Open,
) -> None:
    fish = await opened()
    with serve_site() as site:
        form = "<form action=/saved><label>Town <input name=town></label></form>"
        site.html(f"<div role=status><ul><li>Supplier was saved</li></ul></div>{form}", "/saved")
        typed = {"tool": "type", "id": {"role": "textbox", "name": "Town"}, "text": "Saltney", "submit": True}
        model = script(fish, [acts(typed, {"tool": "collect"}, typed), as_json(give_up={"reason": "x", "help": ""})])
        await events_of(fish, "Set the town twice", loop="horizon", tabs=[site.html(form)])
    lines = [line for line in history(model.requests[1]).splitlines() if line[:2] in ("1.", "3.")]
    assert len(lines) == 2 and all('"Supplier was saved"; now at' in line for line in lines), lines


SHOWN = """<button aria-label="Unpublish selected pages" onclick="out.textContent = 'All offline'">Unpublish</button>
<div role=menu><div role=menuitem tabindex=0 style="display:flex;gap:9px" onclick="more.textContent = 'Editor is open'">
<div>Settings Editor</div><div>Ctrl+,</div></div></div><button>Unpublish all</button><p id=out></p><p id=more></p>"""


async def test_an_element_is_found_by_what_people_read_first_in_it_if_none_is_called_so(opened: Open) -> None:
    fish = await opened()
    wanted = [{"role": "link", "name": "Unpublish"}, {"role": "menuitem", "name": "Settings Editor"}]
    clicks = [{"tool": "click", "id": each} for each in wanted]
    done = {"answer": "Done.", "evidence": ["All offline", "Editor is open"]}
    with serve_site() as site:
        model = script(fish, [acts(*clicks, done=done), as_json(give_up={"reason": "x", "help": ""})])
        story = await events_of(fish, "Take them offline", loop="horizon", tabs=[site.html(SHOWN)])
    assert end(story).text == "Done.", history(model.requests[-1])


RENAMED = """<ul id=files><li tabindex=0>scan_1.txt<li tabindex=0>scan_2.txt</ul><script>
files.onkeydown = (event) => {
  if (event.key !== "F2" || event.target.tagName !== "LI") return;
  const item = event.target, field = document.createElement("input");
  field.value = item.textContent; item.replaceChildren(field); field.select();
  field.onkeydown = (pressed) => pressed.key === "Enter" && item.replaceChildren(field.value);
};
</script>"""


async def test_a_field_that_gets_the_focus_is_typed_into_without_a_name_and_one_name_of_several_is_enough(
    opened: Open,
) -> None:
    fish = await opened()
    rename = [
        {"tool": "press_key", "id": {"name": ["{1}.txt", "scan_{1}.txt"]}, "key": "F2"},
        {"tool": "type", "id": {"focused": True}, "text": "letter_{1}.txt", "submit": True},
    ]
    done = {"answer": "Renamed.", "evidence": ["letter_1.txt", "letter_2.txt"], "gone": ["scan_1.txt", "scan_2.txt"]}
    with serve_site() as site:
        give_up = as_json(give_up={"reason": "x", "help": ""})
        model = script(fish, [acts({"each": ["1", "2"], "actions": rename}, done=done), give_up])
        story = await events_of(fish, "Rename both", loop="horizon", tabs=[site.html(RENAMED)])
    assert end(story).text == "Renamed.", history(model.requests[-1])


SPLASH = """<div id=out><h1>Welcome</h1><p>Make a first budget file</p>
<button onclick="out.textContent = 'Creating the file…'">Start</button></div>"""


@pytest.mark.usefixtures("impatient")
async def test_words_that_are_gone_with_the_whole_page_do_not_show_that_the_task_is_done(opened: Open) -> None:
    fish = await opened()
    done = {"answer": "The budget is made.", "evidence": ["file"], "gone": ["Make a first budget file"]}
    with serve_site() as site:
        model = script(fish, [acts("Start", done=done), as_json(give_up={"reason": "x", "help": ""})])
        story = await events_of(fish, "Make a budget", loop="horizon", tabs=[site.html(SPLASH)])
    assert "Not taken as done" in history(model.requests[1]) and end(story).outcome == "failed"


async def test_links_to_the_same_address_are_one_and_the_day_is_told(opened: Open) -> None:
    fish = await opened()
    with serve_site() as site:
        boats = site.html("<h1>Twelve boats</h1>", "/boats")
        page = site.html(f"<nav><a href={boats}>boats</a></nav><p><a href={boats}>boats</a></p>")
        link, done = {"role": "link", "name": "boats"}, {"answer": "Open.", "evidence": ["Twelve boats"]}
        opens = acts({"tool": "click", "id": link}, done=done)
        model = script(fish, [opens])
        story = await events_of(fish, "Open the boats", loop="horizon", tabs=[page])
    assert end(story).text == "Open."
    told = "\n".join(message.text for message in model.requests[0].messages)
    assert f"Today is {datetime.now():%A, %Y-%m-%d}." in told
