"""Input reaches pages through the input gate only."""

import re
from pathlib import Path

from .tree import SOURCE

PACKAGE = SOURCE / "pilotfish"

SENT = re.compile(
    r"\.mouse\b|\.keyboard\b(?! import)|\.touchscreen\b|set_files|set_input_files|insert_text|\.tap\(|\.dblclick\(|"
    r"\.select_option|\.set_checked|\.press_sequentially|\.drag_to|dispatch_event|Input\.(?:dispatch|insert|synthesize)|"
    r"WebMCP\.invokeTool"
)
SCRIPTED = re.compile(r"dispatchEvent|\.click\(|\.submit\(|requestSubmit|\.selected = |\.checked = |execCommand")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
ALLOWED = {
    Path("browser/actions/input_gate.py"): "the input gate itself",
    Path("browser/actions/page_tool_gate.py"): "the gate for tools of pages",
    Path("browser/perception/direct_page.py"): "names what the gate may use where a page is reached directly",
    Path("browser/sessions/relay_inputs.py"): "knows inputs that came through the gate, and sends none of its own",
    Path("browser/sessions/relay_page.py"): "the mouse that the gate uses where a page is reached directly",
    Path("services/local_browser_view.py"): "the gestures of the person",
    Path("core/playwright_script.py"): "writes scripts for people, and runs none",
}


def test_no_input_is_sent_outside_the_input_gate() -> None:
    found = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if SENT.search(path.read_text("utf-8"))}
    assert found == set(ALLOWED), "use tab.input, which asks the policy about what the input reaches"


def test_no_page_script_sends_input_but_those_of_the_input_gate() -> None:
    scripts = PACKAGE / "browser" / "js"
    found = {
        path.relative_to(scripts)
        for path in scripts.rglob("*.js")
        if SCRIPTED.search(COMMENT.sub("", path.read_text("utf-8")))
    }
    assert found == {Path("input/choose.js"), Path("input/set.js")}


def test_the_scripts_of_the_input_gate_are_run_by_it_alone() -> None:
    users = [
        path.relative_to(PACKAGE)
        for path in PACKAGE.rglob("*.py")
        if re.search(r"input_script|js.{1,9}input", path.read_text("utf-8"))
    ]
    assert users == [Path("browser/actions/input_gate.py")]
