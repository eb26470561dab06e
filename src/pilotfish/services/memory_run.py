"""Makes the background run that follows a run and saves facts from what the person said in it."""

from pilotfish.core.records import RunRecord, memory_run_id


def make_memory_run(record: RunRecord) -> RunRecord | None:
    """The memory run of a completed run; None for sub-runs."""
    if record.parent or record.outcome != "completed":
        return None
    return RunRecord(
        id=memory_run_id(record.id),
        user=record.user,
        conversation=record.conversation,
        task="Remember what matters",
        loop="_remember",
        options={"history": False},
        parent=record.id,
    )
