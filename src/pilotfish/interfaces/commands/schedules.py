"""The command line for standing work: schedule, watch, and schedules with its subcommands."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import JsonOption, ProfileOption, echo, get_target, make_console, print_lines
from pilotfish.interfaces.commands.said_time import confirm_time

if TYPE_CHECKING:
    from pilotfish.core.schedules import Schedule, SchedulePlan
    from pilotfish.interfaces.terminal.command_target import ScheduleEditor

T = TypeVar("T")
cli = typer.Typer(rich_markup_mode=None)
schedules = typer.Typer(
    invoke_without_command=True,
    help="List schedules and watches; pause, resume, delete or run one.",
    rich_markup_mode=None,
)
ScheduleArgument = Annotated[str, typer.Argument(help="Its id, the beginning of it, or its name.")]
Zone = Annotated[str, typer.Option(help="A time zone such as Europe/Lisbon; else that of this machine.")]
Name = Annotated[str, typer.Option(help="A name for it.")]
Model = Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")]
Missed = Annotated[str, typer.Option(help="Times at which no server ran: once, all or skip.")]
Overlap = Annotated[str, typer.Option(help="A time at which it is still at work: skip or queue.")]
Jitter = Annotated[float, typer.Option(help="Begin up to so many seconds later.", min=0, max=3600)]
Cents = Annotated[float | None, typer.Option(help="The most one run may cost, in cents.", min=0)]
Month = Annotated[float | None, typer.Option(help="The most a month may cost, in cents.", min=0)]
Allow = Annotated[
    list[str] | None,
    typer.Option(help="SITE:EFFECT,… that it may cause unattended, such as shop.example:submit; may repeat."),
]
Asks = Annotated[bool, typer.Option("--ask", help="Ask about other effects instead of refusing them.")]
Notify = Annotated[list[str] | None, typer.Option("--notify", "--tell", help="page, desktop, webhook, email or ntfy.")]
NotifyWhen = Annotated[str, typer.Option("--notify-when", "--tell-when", help="always, changes or problems.")]

OPTIONS = {
    "task": "The task",
    "when": "When",
    "grants": "--allow",
    "notify": "--notify",
    "notify_when": "--notify-when",
    "missed": "--missed",
    "overlap": "--overlap",
    "zone": "--zone",
    "name": "--name",
    "pages": "The pages",
}
"""What the command line calls the parts of a plan."""


def with_schedules(context: typer.Context, work: "Callable[[ScheduleEditor], Awaitable[T]]") -> T:
    """Run a function on the schedules of this machine, or of the server that was named."""

    async def run_work() -> T:
        async with get_target(context).open_schedules() as editor:
            return await work(editor)

    return asyncio.run(run_work())


def read_grants(texts: list[str] | None) -> list[dict[str, Any]]:
    """Grants from texts such as `shop.example:submit,buy`."""
    grants: list[dict[str, Any]] = []
    for text in texts or ():
        site, colon, effects = text.rpartition(":")
        if not colon or not site:
            raise PersonError(f"{text!r} does not say what is allowed where.", "Write it as shop.example:submit,send.")
        grants.append({"site": site, "effects": [each.strip() for each in effects.split(",")]})
    return grants


def make_plan(**stated: Any) -> "SchedulePlan":
    """A plan from options; those left empty have their defaults."""
    from pydantic import ValidationError

    from pilotfish.core.schedules import SchedulePlan

    given = {name: value for name, value in stated.items() if value not in (None, "", (), [], {})}
    try:
        return SchedulePlan.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0])
        said = "Nothing is said." if first["type"] == "missing" else f"{first['msg']}."
        raise PersonError(f"{OPTIONS.get(field, field)}: {said}", "See --help for what can be said.") from None


def keep_plan(context: typer.Context, plan: "SchedulePlan", json: bool) -> None:
    """Make the schedule and say when it happens and what it may do."""
    from pilotfish.interfaces.terminal.schedule_tables import describe_schedule

    async def make(editor: "ScheduleEditor") -> "tuple[Schedule, tuple[str, ...]]":
        return await editor.create(plan), (await editor.preview(plan)).missing

    made, missing = with_schedules(context, make)
    if json:
        print_lines([made])
        return
    for line in [*describe_schedule(made), *missing]:
        echo(line)
    echo("`pilotfish serve` or `pilotfish worker` does it; one of them must run at that time.")


@cli.command()
def schedule(
    context: typer.Context,
    when: Annotated[str, typer.Argument(help='Such as "every weekday at 8", "every 2 hours", or cron text.')],
    task: Annotated[str, typer.Argument(help="What is to be done, in plain words.")],
    url: Annotated[list[str] | None, typer.Option(help="Where to begin; may be given several times.")] = None,
    name: Name = "",
    zone: Zone = "",
    missed: Missed = "",
    overlap: Overlap = "",
    jitter: Jitter = 0,
    budget: Cents = None,
    month_budget: Month = None,
    allow: Allow = None,
    ask: Asks = False,
    notify: Notify = None,
    notify_when: NotifyWhen = "",
    model: Model = "",
    loop: Annotated[str, typer.Option(help="auto, horizon, pilot, react or strict.")] = "",
    profile: ProfileOption = "",
    json: JsonOption = False,
) -> None:
    """Have something done at certain times. Nobody attends it, so effects are refused unless --allow names them."""
    options = {"model": model, "loop": loop, "profile": profile}
    when, zone = confirm_time(context, when, zone)
    plan = make_plan(
        task=task,
        when=when,
        zone=zone,
        name=name,
        pages=url,
        missed=missed,
        overlap=overlap,
        jitter=jitter,
        budget_cents=budget,
        month_cents=month_budget,
        grants=read_grants(allow),
        asks=ask,
        notify=notify,
        notify_when=notify_when,
        options={key: value for key, value in options.items() if value},
    )
    keep_plan(context, plan, json)


@cli.command()
def watch(
    context: typer.Context,
    page: Annotated[str, typer.Argument(help="The address of the page.")],
    condition: Annotated[str, typer.Argument(help='What you wait for, such as "the kettle costs less than 40".')],
    every: Annotated[str, typer.Option(help="How often: 30m, 1h, 1d, or when in words or cron text.")] = "1h",
    selector: Annotated[str, typer.Option(help="Compare only what this CSS selector matches.")] = "",
    text: Annotated[str, typer.Option(help="Compare only the lines that say this.")] = "",
    value: Annotated[str, typer.Option(help="Compare only the numbers in the lines that say this.")] = "",
    name: Name = "",
    zone: Zone = "",
    missed: Missed = "",
    jitter: Jitter = 0,
    budget: Cents = None,
    month_budget: Month = None,
    notify: Notify = None,
    notify_when: NotifyWhen = "changes",
    model: Model = "",
    profile: ProfileOption = "",
    json: JsonOption = False,
) -> None:
    """Watch a page and tell when a condition is met. A model is asked only where something changed."""
    parts = {"selector": selector, "text": text, "value": value}
    chosen = [(kind, what) for kind, what in parts.items() if what]
    if len(chosen) > 1:
        raise PersonError("A watch compares one part of the page.", "Give one of --selector, --text and --value.")
    kind, what = chosen[0] if chosen else ("page", "")
    options = {"model": model, "profile": profile}
    when, zone = confirm_time(context, every if " " in every or every.startswith("@") else f"every {every}", zone)
    plan = make_plan(
        task=condition,
        when=when,
        zone=zone,
        name=name,
        pages=[page if "://" in page or "." not in page.partition("/")[0] else f"https://{page}"],
        watch={"kind": kind, "what": what},
        missed=missed,
        jitter=jitter,
        budget_cents=budget,
        month_cents=month_budget,
        notify=notify,
        notify_when=notify_when,
        options={key: given for key, given in options.items() if given},
    )
    keep_plan(context, plan, json)


@schedules.callback()
def list_all(context: typer.Context, json: JsonOption = False) -> None:
    """List schedules and watches, with their next time."""
    if context.invoked_subcommand is not None:
        return
    from pilotfish.interfaces.terminal.schedule_tables import schedules_table

    found = with_schedules(context, lambda editor: editor.list())
    if json:
        print_lines(found)
    else:
        none = 'No schedules yet: pilotfish schedule "every weekday at 8" "a task"'
        make_console().print(schedules_table(found) if found else none)


def _say_state(made: "Schedule") -> None:
    from pilotfish.interfaces.terminal.schedule_tables import describe_schedule

    echo(describe_schedule(made)[0])


@schedules.command()
def pause(context: typer.Context, schedule: ScheduleArgument) -> None:
    """Pause it until it is resumed."""
    _say_state(with_schedules(context, lambda editor: editor.pause(schedule)))


@schedules.command()
def resume(context: typer.Context, schedule: ScheduleArgument) -> None:
    """Resume it from its next time on."""
    _say_state(with_schedules(context, lambda editor: editor.resume(schedule)))


@schedules.command()
def delete(context: typer.Context, schedule: ScheduleArgument) -> None:
    """Delete it with its history; its runs stay."""
    gone = with_schedules(context, lambda editor: editor.delete(schedule))
    echo(f"Deleted: {gone.title}")


@schedules.command("run")
def run_now(context: typer.Context, schedule: ScheduleArgument) -> None:
    """Run it once now."""
    fire = with_schedules(context, lambda editor: editor.run_now(schedule))
    echo(f"Run {fire.run} waits for a server or worker; `pilotfish follow {fire.run}` shows it.")
