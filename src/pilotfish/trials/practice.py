"""Trials over the practice site: tasks checked on its log and state, questions checked on their answers."""

from collections.abc import Awaitable, Callable

from pilotfish.practice.questions import Question, questions
from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import Task, tasks
from pilotfish.trials.case import Case, Start


def cases(site: Practice, suite: str, loop: str = "") -> list[Case]:
    """The trials of a suite: `tasks`, `short` (one or two steps) or `questions`."""
    if suite == "questions":
        return [_asked(site, question, loop or "chat") for question in questions()]
    return [_done(site, task, loop or "pilot") for task in tasks() if suite == "tasks" or task.steps <= 2]


def _done(site: Practice, task: Task, loop: str) -> Case:
    async def prepare(world: str) -> Start:
        site.reset(world)
        steps = max(6, 2 * task.steps + 4)
        return Start(known(task.goal), site.address(task.start, world), steps, sites=(site.other_url,))

    async def passed(world: str, answer: str) -> bool:
        return task.check(site.log(world), site.state(world))

    return Case(task.name, loop, prepare, passed, task.steps)


def _asked(site: Practice, question: Question, loop: str) -> Case:
    async def prepare(world: str) -> Start:
        return Start(known(question.question), site.address(question.page, world))

    async def passed(world: str, answer: str) -> bool:
        return question.check(answer)

    return Case(question.name, loop, prepare, passed)


def known(goal: str) -> Callable[[], Awaitable[str]]:
    """A goal that needs no page to tell it."""

    async def told() -> str:
        return goal

    return told
