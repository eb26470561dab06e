"""Keeps what a run downloaded with its files; a file that could run on this machine only if that is allowed."""

import mimetypes
import shutil
from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.policy import Action, PolicyDecision
from pilotfish.enforcement.approvals import ALLOW_ONCE, DENY_ACTION
from pilotfish.enforcement.enforcer import PolicyEnforcer
from pilotfish.enforcement.policed_run import PolicedRun
from pilotfish.safety.policy_judge import judge_action

if TYPE_CHECKING:
    from pilotfish.browser.sessions.downloads import DownloadedFile


async def accept_downloads(run: PolicedRun, enforcer: PolicyEnforcer, key: str) -> str:
    """Accept or delete the downloads of an action; return what the model must know about them."""
    lines: list[str] = []
    for number, file in enumerate(run.browser.take_downloads()):
        at = f"{key}.download{number}"
        refusal = await _ask_about(run, enforcer, file, at) if file.is_quarantined else ""
        if refusal:
            file.path.unlink(missing_ok=True)
            lines.append(f"{file.path.name} was deleted: {refusal}.")
        else:
            lines += [f"{file.path.name} was kept: that was allowed."] if file.is_quarantined else []
            await _keep_file(run, file, at)
    return " ".join(lines)


async def _ask_about(run: PolicedRun, enforcer: PolicyEnforcer, file: "DownloadedFile", key: str) -> str:
    """Why a program is not kept; empty if it may be kept."""
    action = Action(tool="download", args={"name": file.path.name}, user=run.record.user, page=file.url)
    decision = judge_action(action, enforcer.policy, enforcer.preset)
    by = "the policy says no"
    if decision.decision == "ask":
        arrival = f"{file.path.name} ({file.size:,} bytes) came from {decision.site or 'a page'}"
        question = f"{arrival} and could run on this machine. Keep it?"
        details = {
            "what": f"keep {file.path.name}",
            "where": file.url[:200],
            **decision.model_dump(exclude={"decision"}),
        }
        answer = await run.ask_person(
            key, question, (ALLOW_ONCE, DENY_ACTION), enforcer.approval_timeout, kind="approval", **details
        )
        by = "" if answer == ALLOW_ONCE else "nobody was there to allow it" if answer is None else "the person said no"
    elif decision.decision == "allow":
        by = ""
    await run.emit(f"{key}.policy", _note(run, decision, file.path.name, by))
    return by


def _note(run: PolicedRun, decision: PolicyDecision, name: str, refusal: str) -> events.Noted:
    details = {"tool": "download", "what": f"keep {name}", "decision": "refused" if refusal else "allowed"}
    details |= decision.model_dump(exclude={"decision"})
    return events.Noted(run=run.id, topic="policy", text=refusal, details=details)


async def _keep_file(run: PolicedRun, file: "DownloadedFile", key: str) -> None:
    """Keep a download in the conversation for later uploads, and list it among the run's files."""
    from pilotfish.browser.sessions.downloads import find_free_path

    own = find_free_path(run.folder / "downloads", file.path.name)
    shutil.copy(file.path, own)
    if file.is_quarantined:
        file.path.rename(find_free_path(file.path.parent.with_name("downloads"), file.path.name))
    name = f"downloads/{own.name}"
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    saved = events.FileSaved(run=run.id, name=name, media=media, size=file.size, purpose="download")
    await run.emit(f"{key}.saved", saved)
