"""The run that follows a run, in the background, to remember what the person said in it."""

from pilotfish.core.records import RunRecord


def sequel(record: RunRecord) -> RunRecord | None:
    """The run that remembers; none after one that is itself part of another."""
    if record.parent or record.outcome != "completed":
        return None
    return RunRecord(
        id=f"{record.id}-memory",
        user=record.user,
        conversation=record.conversation,
        task="Remember what matters",
        loop="_remember",
        options={"history": False},
        parent=record.id,
    )
