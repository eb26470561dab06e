"""What a run downloaded: kept with its files, and where a file could run on this machine, only if that is allowed."""

import mimetypes
import shutil
from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.policy import Deed, Verdict
from pilotfish.runtime.guard.warden import DENY, ONCE
from pilotfish.safety.judge import judge

if TYPE_CHECKING:
    from pilotfish.browser.download import Arrival
    from pilotfish.runtime.run import Run


async def received(run: "Run", key: str) -> str:
    """Take in what came during an action; what the model should know of it."""
    told: list[str] = []
    for number, file in enumerate(run.browsing.arrivals()):
        at = f"{key}.download{number}"
        refusal = await _settled(run, file, at) if file.held else ""
        if refusal:
            file.path.unlink(missing_ok=True)
            told.append(f"{file.path.name} was deleted: {refusal}.")
        else:
            told += [f"{file.path.name} was kept: that was allowed."] if file.held else []
            await _kept(run, file, at)
    return " ".join(told)


async def _settled(run: "Run", file: "Arrival", key: str) -> str:
    """Why a program was not kept; empty where it may be."""
    deed = Deed(tool="download", args={"name": file.path.name}, user=run.record.user, page=file.url)
    verdict = judge(deed, run.warden.policy, run.warden.preset)
    by = "the policy says no"
    if verdict.decision == "ask":
        came = f"{file.path.name} ({file.size:,} bytes) came from {verdict.site or 'a page'}"
        question = f"{came} and could run on this machine. Keep it?"
        details = {
            "what": f"keep {file.path.name}",
            "where": file.url[:200],
            **verdict.model_dump(exclude={"decision"}),
        }
        answer = await run.inquire(key, question, (ONCE, DENY), run.warden.patience, kind="approval", **details)
        by = "" if answer == ONCE else "nobody was there to allow it" if answer is None else "the person said no"
    elif verdict.decision == "allow":
        by = ""
    await run.emit(f"{key}.policy", _note(run, verdict, file.path.name, by))
    return by


def _note(run: "Run", verdict: Verdict, name: str, refusal: str) -> events.Noted:
    told = {"tool": "download", "what": f"keep {name}", "decision": "refused" if refusal else "allowed"}
    details = {**told, **verdict.model_dump(exclude={"decision"})}
    return events.Noted(run=run.id, topic="policy", text=refusal, details=details)


async def _kept(run: "Run", file: "Arrival", key: str) -> None:
    """The conversation keeps a download for later uploads; the run shows it among its files."""
    from pilotfish.browser.download import vacant

    own = vacant(run.kit.folder(run.id) / "downloads", file.path.name)
    shutil.copy(file.path, own)
    if file.held:
        file.path.rename(vacant(file.path.parent.with_name("downloads"), file.path.name))
    name = f"downloads/{own.name}"
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    saved = events.FileSaved(run=run.id, name=name, media=media, size=file.size, purpose="download")
    await run.emit(f"{key}.saved", saved)
