"""Driving one run from its first event to its last."""

import logging
import time
from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.context import RUN
from pilotfish.core.errors import OutOfBudget, PilotfishError, Stopped
from pilotfish.core.folds import unfinished
from pilotfish.core.records import Dossier, RunRecord
from pilotfish.runtime.control import Control
from pilotfish.runtime.kit import Kit
from pilotfish.runtime.run import Run

if TYPE_CHECKING:
    from pilotfish.store.base import Store

log = logging.getLogger(__name__)


class Driver:
    """Turns a run's id into a finished run. Only the driver of a run writes its journal."""

    def __init__(self, kit: Kit, store: "Store", worker: str) -> None:
        self.kit = kit
        self.store = store
        self.worker = worker
        self.controls: dict[str, Control] = {}

    async def drive(self, id: str) -> str:
        """Run the loop to its end; called again after a crash, it goes on where it was."""
        # There before the look, so that the run hears what it is told meanwhile.
        control = self.controls.setdefault(id, Control())
        try:
            dossier = await self.store.dossier(id)
            if dossier is None or dossier.record.outcome:
                return "over" if dossier else "deleted"
            record = dossier.record
            RUN.set(id)
            log.info("run taken up", extra={"loop": record.loop, "user": record.user, "worker": self.worker})
            if record.worker != self.worker:
                await self.store.assign(id, self.worker)
            await control.apply(dossier.commands)
            return await self._finish(await self._prepare(dossier, control))
        finally:
            self.controls.pop(id, None)

    async def park(self, record: RunRecord) -> None:
        """Say that a run waits for the code that began it."""
        why = f"It was begun by another version of Pilotfish. `pilotfish resume {record.id}` goes on from what it did."
        await self.kit.journal.append(events.StateChanged(run=record.id, state="paused", why=why))

    async def cancel(self, record: RunRecord, fix: str = "") -> None:
        """End a run that nobody drives."""
        await self.kit.journal.append(events.RunFinished(run=record.id, key="end", outcome="stopped", fix=fix))

    async def heed(self, run: str) -> None:
        """Somebody told a run something: let it know, if it is ours."""
        if control := self.controls.get(run):
            await control.apply(await self.store.commands(run, control.seen))

    async def _prepare(self, dossier: Dossier, control: Control) -> Run:
        record, past = dossier.record, {event.key: event for event in dossier.events}
        run = Run(record, self.kit, control, past)
        if past and record.state != "queued":
            await run.emit("", events.Noted(run=run.id, topic="recovery", text="Taken up again after an interruption."))
        run.messages.extend((*dossier.before, *dossier.said))
        started = events.RunStarted(
            run=run.id,
            key="start",
            task=record.task,
            loop=record.loop,
            user=record.user,
            conversation=record.conversation,
            options=record.options,
            parent=record.parent,
            version=record.version,
        )
        self.kit.journal.post(started)
        self.kit.journal.post(events.MessageAdded(run=run.id, key="task", message=run.messages[-1]))
        return run

    async def _finish(self, run: Run) -> str:
        began = time.monotonic()
        end = await self._loop(run)
        end = end.model_copy(
            update={"key": "end", "usage": run.budget.spent, "seconds": time.monotonic() - began, "steps": run.steps}
        )
        entry = (await self.kit.journal.append(end))[0]
        await run.results.release(run.id)
        assert isinstance(entry.event, events.RunFinished)
        told = entry.event.model_dump(include={"outcome", "kind", "steps"}) | {"seconds": round(entry.event.seconds, 3)}
        log.info("run ended", extra=told)
        return entry.event.outcome

    async def _loop(self, run: Run) -> events.RunFinished:
        try:
            await run.enter("running")
            await run.become(run.record.loop)
        except Stopped:
            await run.enter("stopping")
            return events.RunFinished(run=run.id, outcome="stopped", text=run.answer or "")
        except OutOfBudget as error:
            if run.answer is None:
                await run.finish(unfinished(error.message, await self.store.events(run.id)))
            return events.RunFinished(
                run=run.id, outcome="out_of_budget", text=run.answer or "", error=error.message, fix=error.fix
            )
        except PilotfishError as error:
            kind = type(error).__name__
            return events.RunFinished(run=run.id, outcome="failed", error=error.message, fix=error.fix, kind=kind)
        except Exception as error:
            log.exception("run %s failed", run.id)
            text = f"Something went wrong inside Pilotfish: {type(error).__name__}: {error}"
            return events.RunFinished(run=run.id, outcome="failed", error=text, fix="Run it again, or report it.")
        if run.answer is None:
            error = f"The task was not finished within {run.limit} steps."
            return events.RunFinished(
                run=run.id, outcome="failed", error=error, fix="Allow more steps with --max-steps."
            )
        return events.RunFinished(run=run.id, outcome="completed", text=run.answer)
