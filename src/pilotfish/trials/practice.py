"""Trials over the practice site: tasks checked on its log and state, questions checked on their answers."""

from collections.abc import Awaitable, Callable

from pilotfish.practice.questions import PracticeQuestion, questions
from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import PracticeTask, tasks
from pilotfish.trials.case import TrialCase, TrialStart

WAY_STEPS = 6
"""Steps for finding the page from the home page."""


def practice_cases(site: Practice, suite: str, loop: str = "") -> list[TrialCase]:
    """The trials of a suite: `tasks`, `short` (one or two steps), `everyday` (from the home page) or `questions`."""
    if suite == "questions":
        return [_make_question_case(site, question, loop or "chat") for question in questions()]
    if suite == "everyday":
        begun = [task.model_copy(update={"goal": task.said, "start": "/"}) for task in tasks() if task.said]
        return [_make_task_case(site, task, loop or "pilot", WAY_STEPS) for task in begun]
    return [_make_task_case(site, task, loop or "pilot") for task in tasks() if suite == "tasks" or task.steps <= 2]


def _make_task_case(site: Practice, task: PracticeTask, loop: str, way: int = 0) -> TrialCase:
    async def prepare(world: str) -> TrialStart:
        site.reset(world)
        steps = max(6, 2 * task.steps + 4) + way
        return TrialStart(fixed_goal(task.goal), site.address(task.start, world), steps, sites=(site.other_url,))

    async def passed(world: str, answer: str) -> bool:
        return task.check(site.log(world), site.state(world))

    return TrialCase(task.name, loop, prepare, passed, task.steps)


def _make_question_case(site: Practice, question: PracticeQuestion, loop: str) -> TrialCase:
    async def prepare(world: str) -> TrialStart:
        return TrialStart(fixed_goal(question.question), site.address(question.page, world))

    async def passed(world: str, answer: str) -> bool:
        return question.check(answer)

    return TrialCase(question.name, loop, prepare, passed)


def fixed_goal(goal: str) -> Callable[[], Awaitable[str]]:
    """A goal that is known before the page is open."""

    async def get_goal() -> str:
        return goal

    return get_goal
