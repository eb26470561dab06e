"""The report of a run, and exports that show when they were changed."""

from pilotfish.core import events as e
from pilotfish.safety.audit import build_audit, export_chain, find_tampering

DETAILS = {
    "tool": "click",
    "decision": "allowed",
    "effect": "buy",
    "site": "shop.example",
    "why": "it says “pay”",
    "rule": "x",
}
STORY: list[e.Event] = [
    e.RunStarted(run="r", seq=1, task="Buy a kettle", loop="pilot", user="ada", conversation="c"),
    e.InputRequested(
        run="r", seq=2, request="r:1", kind="approval", question="?", details={"what": "click “Pay | now”"}
    ),
    e.InputReceived(run="r", seq=3, request="r:1", answer="Allow once", by="ada"),
    e.Noted(run="r", seq=4, topic="policy", text="", details=DETAILS),
    e.Noted(run="r", seq=5, topic="secret", text="Typed <secret:shop>."),
    e.Noted(run="r", seq=6, topic="blocked", text="", details={"host": "evil.example", "why": "blocked"}),
    e.InputRequested(run="r", seq=7, request="r:2", kind="approval", question="?", details={"what": "send"}),
    e.InputTimedOut(run="r", seq=8, request="r:2"),
    e.InputReceived(run="r", seq=9, request="r:3", answer="no approval"),
    e.Noted(run="r", seq=10, topic="wire", text="", details={**DETAILS, "what": "POST /pay", "decision": "sent"}),
]


def test_a_report_holds_decisions_approvals_secrets_and_held_requests() -> None:
    report = build_audit("r", STORY)
    assert [(line.kind, line.outcome, line.by) for line in report.lines] == [
        ("approval", "Allow once", "ada"),
        ("decision", "allowed", ""),
        ("secret", "typed", ""),
        ("connection", "refused", ""),
        ("approval", "nobody answered", ""),
        ("held_request", "sent", ""),
    ]
    text = report.markdown()
    assert "Buy a kettle" in text and "Actions: 1 allowed, 0 refused." in text and "Pay \\| now" in text


def test_a_sub_runs_actions_are_told_under_the_task_that_it_serves() -> None:
    child = e.RunStarted(run="r-1", task="Search for kettles", loop="react", user="ada", conversation="c", parent="r")
    note = e.Noted(run="r-1", topic="policy", text="", details={**DETAILS, "tool": "web_fetch"})
    report = build_audit("r", [*STORY, child, note])
    assert report.task == "Buy a kettle" and report.lines[-1].what.startswith("web_fetch")


def test_an_export_that_was_changed_shows_it() -> None:
    lines = list(export_chain(STORY, b"key"))
    assert find_tampering(lines, b"key") == "" and find_tampering(lines) == ""
    assert "line 3" in find_tampering([*lines[:2], lines[2].replace("ada", "eve"), *lines[3:]])
    assert "line 3" in find_tampering([*lines[:2], *lines[3:]])
    assert find_tampering(lines[:-1]) == "the end is missing"
    assert "follows the end" in find_tampering([*lines, lines[2]], b"key")
    assert "does not fit" in find_tampering(list(export_chain(STORY[:-1], b"other")), b"key")
    assert "not a line" in find_tampering(["{}"]) and "not a line" in find_tampering(["nonsense"])
