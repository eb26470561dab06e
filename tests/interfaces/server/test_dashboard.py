"""Every query of the dashboard finds what it asks for in the metrics of a running server."""

import json
import re
from pathlib import Path

from .running_server import RunningServer

DASHBOARD = Path(__file__).resolve().parents[3] / "deploy" / "grafana.json"
NAME = re.compile(r"\b(?:pilotfish|process)_\w+")
LABELS = re.compile(r"by \(([^)]*)\)|(?<!\{)\{([^{}]+)\}(?!\})|\{\{(\w+)\}\}")


def list_queries() -> list[tuple[str, str]]:
    """Each query of the dashboard, with its legend."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [(target["expr"], target["legendFormat"]) for panel in panels for target in panel["targets"]]


def list_labels(query: str, legend: str) -> set[str]:
    """The labels that a query groups by, chooses by or shows."""
    found = [re.split(r"[,\s]+", next(filter(None, groups))) for groups in LABELS.findall(f"{query} {legend}")]
    return {re.split(r"[=!]", word)[0] for words in found for word in words}


async def test_every_number_and_label_of_the_dashboard_is_told_by_a_server(
    running: RunningServer, tmp_path: Path
) -> None:
    (tmp_path / "silent.json").write_text("[]")
    for loop in ("test-echo", "test-broken"):
        await running.until(await running.started(loop), "run_finished")
    silent = await running.started("test-echo", model=f"scripted:{tmp_path / 'silent.json'}")
    assert (await running.until(silent, "run_finished")).outcome == "failed"
    asking = await running.started("test-approval")
    await running.until(asking, "input_requested")
    async with running.client() as client:
        shown = (await client.get("/metrics")).text
    await running.settled()
    told: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", shown, re.MULTILINE):
        told.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    assert 'pilotfish_runs{state="awaiting_approval"} 1' in shown
    queries = list_queries()
    assert len(queries) >= 15
    for query, legend in queries:
        names = NAME.findall(query)
        assert names, query
        for name in names:
            assert name in told, f"{name} is in a query and in no answer of the server"
            assert list_labels(query, legend) <= told[name], f"{query} {legend}: {told[name]}"
