"""Drives one run from its first event to its last."""

import logging
from typing import TYPE_CHECKING, cast

from pilotfish.core import events
from pilotfish.core.current_run import CURRENT_RUN, CURRENT_USER
from pilotfish.core.errors import OutOfBudget, PilotfishError, Stopped, StoppedUnanswered
from pilotfish.core.journal_reports import describe_progress, describe_unfinished
from pilotfish.core.records import RunRecord, StoredRun
from pilotfish.runtime.control import RunControl
from pilotfish.runtime.conversation_browsers import ConversationBrowsers
from pilotfish.runtime.loops import is_steerable
from pilotfish.runtime.run import Run
from pilotfish.runtime.run_context import RunContext

if TYPE_CHECKING:
    from pilotfish.store.base import Store

log = logging.getLogger(__name__)


class RunDriver:
    """Loads a run by its id and calls its loop. Only the driver of a run writes its journal."""

    def __init__(self, context: RunContext, store: "Store", worker: str) -> None:
        self.context = context
        self.store = store
        self.worker = worker
        self.controls: dict[str, RunControl] = {}

    async def drive(self, id: str) -> str:
        """Run the loop to its end. After a crash it is called again and the run continues."""
        # Registered before the run is read, so that commands sent meanwhile reach it.
        control = self.controls.setdefault(id, RunControl())
        try:
            stored = await self.store.load_run(id)
            if stored is None or stored.record.outcome:
                return "over" if stored else "deleted"
            record = stored.record
            CURRENT_RUN.set(id)
            CURRENT_USER.set(record.user)
            log.info("run taken up", extra={"loop": record.loop, "user": record.user, "worker": self.worker})
            if record.worker != self.worker:
                await self.store.assign(id, self.worker)
            await control.apply(stored.commands)
            if not record.parent:
                await cast(ConversationBrowsers, self.context.services[ConversationBrowsers]).take_over(
                    record.conversation
                )
            return await self._finish(await self._prepare(stored, control))
        finally:
            self.controls.pop(id, None)

    async def park(self, record: RunRecord) -> None:
        """Note that a run waits for the version of the code that began it."""
        why = f"It was begun by another version of Pilotfish. `pilotfish resume {record.id}` goes on from what it did."
        await self.context.journal.append(events.StateChanged(run=record.id, state="paused", why=why, cause="version"))

    async def cancel(self, record: RunRecord, fix: str = "") -> None:
        """End a run that no worker drives."""
        await self.context.journal.append(events.RunFinished(run=record.id, key="end", outcome="stopped", fix=fix))

    async def apply_commands(self, run: str) -> None:
        """Apply new commands to a run, if this process drives it."""
        if control := self.controls.get(run):
            await control.apply(await self.store.commands(run, control.seen))

    async def _prepare(self, stored: StoredRun, control: RunControl) -> Run:
        record, past = stored.record, {event.key: event for event in stored.events}
        run = Run(record, self.context, control, past)
        if past and record.state != "queued":
            await run.emit("", events.Noted(run=run.id, topic="recovery", text="Taken up again after an interruption."))
        run.messages.extend((*stored.earlier, *stored.messages))
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
            max_steps=run.stated_limit,
        )
        self.context.journal.post(started)
        self.context.journal.post(events.MessageAdded(run=run.id, key="task", message=run.messages[-1]))
        return run

    async def _finish(self, run: Run) -> str:
        # Another process may have begun it: a run lasts from its first event, however often it was taken up.
        began = min((event.at for event in run.past.values()), default=events.current_time())
        with run.browser.guard_requests(run.request_guard):
            end = await self._loop(run)
        await run.steering.take("end")
        lasted = max(0.0, (end.at - began).total_seconds())
        end = end.model_copy(update={"key": "end", "usage": run.spending.spent, "seconds": lasted, "steps": run.steps})
        entry = (await self.context.journal.append(end))[0]
        await run.browser.release_tabs()
        await run.results.release(run.id)
        assert isinstance(entry.event, events.RunFinished)
        details = entry.event.model_dump(include={"outcome", "kind", "steps"}) | {
            "seconds": round(entry.event.seconds, 3)
        }
        log.info("run ended", extra=details)
        return entry.event.outcome

    async def _loop(self, run: Run) -> events.RunFinished:
        try:
            await run.change_state("running")
            await run.continue_as(run.record.loop)
            while run.answer is not None and is_steerable(run.record.loop) and await run.begin_next_turn():
                await run.continue_as(run.record.loop)
        except Stopped as stop:
            await run.change_state("stopping")
            end = events.RunFinished(run=run.id, outcome="stopped")
            if isinstance(stop, StoppedUnanswered):
                end = end.model_copy(update={"error": stop.message, "fix": stop.fix})
            return await self._end_early(run, end)
        except OutOfBudget as error:
            if run.answer is None:
                await self.context.journal.flush(run.id)
                await run.finish(describe_unfinished(error.message, await self.store.events(run.id)))
            return events.RunFinished(
                run=run.id, outcome="out_of_budget", text=run.answer or "", error=error.message, fix=error.fix
            )
        except PilotfishError as error:
            end = events.RunFinished(
                run=run.id, outcome="failed", error=error.message, fix=error.fix, kind=type(error).__name__
            )
            return await self._end_early(run, end)
        except Exception as error:
            log.exception("run %s failed", run.id)
            # The exception's text may name files and folders of the machine: it goes to the log only.
            text = f"Something went wrong inside Pilotfish: {type(error).__name__}."
            fix = "Run it again, or report it with the log."
            return await self._end_early(run, events.RunFinished(run=run.id, outcome="failed", error=text, fix=fix))
        if run.answer is None:
            error = f"The task was not finished within {run.limit} step{'s' if run.limit != 1 else ''}."
            fix = f"Go on from here with `pilotfish resume {run.id}`, or allow more with --max-steps."
            return await self._end_early(run, events.RunFinished(run=run.id, outcome="failed", error=error, fix=fix))
        return events.RunFinished(run=run.id, outcome="completed", text=run.answer, data=run.data, places=run.places)

    async def _end_early(self, run: Run, end: events.RunFinished) -> events.RunFinished:
        """The end with what was done and what is open, which is also said in the conversation; no model is asked."""
        await self.context.journal.flush(run.id)
        text = run.answer or describe_progress(await self.store.events(run.id))
        if end.outcome == "stopped" and end.error:
            text = f"{end.error}\n\n{text}".strip()
        if text and run.answer is None:
            await run.say(text)
        return end.model_copy(update={"text": text})
