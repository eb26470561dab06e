"""Says in plain words when something happens that a person said in words of their own; a person confirms it."""

from pydantic import BaseModel, Field, field_validator

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message
from pilotfish.core.recurrence import KNOWN_FORMS, read_recurrence
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

LONGEST_WORDS = 200


class PlainTime(BaseModel):
    """When something happens, in one of the known forms; nothing where no form says it."""

    when: str = Field(default="", max_length=LONGEST_WORDS)
    zone: str = Field(default="", max_length=60, description="only if a place is named, such as Asia/Tokyo")

    @field_validator("when")
    @classmethod
    def _is_known(cls, when: str) -> str:
        try:
            return str(when and read_recurrence(when) and when)
        except PersonError as error:
            raise ValueError(f"{error.message} {error.fix}") from None


@loop("_when", steerable=False)
async def say_when(run: Run) -> None:
    """Ask the model for the same time in one of the known forms. A small model is not asked: it guesses."""
    if (await run.facts()).small:
        return await run.finish("A small model is not asked.", data={"time": PlainTime().model_dump()})
    prompt = run.prompt(
        "when", said=run.untrusted.wrap(run.task, "person"), now=str(run.options["now"]), forms=KNOWN_FORMS
    )
    asked = [Message(role="user", text=prompt)]
    found = await run.attempt(PlainTime, asked, purpose="when")
    time = found if isinstance(found, PlainTime) else PlainTime()
    return await run.finish(time.when or "No form says it.", data={"time": time.model_dump()})
