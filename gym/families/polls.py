"""Polls: votes by one of several answers, results to read and compare, polls that are closed, answers to ask for."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up
from gym.site import Form, Site
from gym.words import Draw

POLLS = (
    "Surveys; Have your say; Polls",
    "Umfragen; Mitreden",
    "Sondages; Votre avis",
    "Encuestas; Opina",
    "调查; 投票",
)
ANSWER = ("Your answer; Choice", "Ihre Antwort; Wahl", "Votre réponse; Choix", "Su respuesta; Opción", "您的回答; 选项")
VOTE = ("Vote; Hand in", "Abstimmen; Abgeben", "Voter; Valider mon vote", "Votar; Enviar voto", "投票; 提交回答")
VOTES = ("Votes; Results", "Stimmen; Ergebnis", "Voix; Résultat", "Votos; Resultado", "票数; 结果")
OVER = (
    "This survey is closed.",
    "Diese Umfrage ist beendet.",
    "Ce sondage est clos.",
    "Esta encuesta está cerrada.",
    "该调查已结束。",
)


def make(draw: Draw) -> Site:
    polls_ = draw.words(*POLLS)
    site = Site(draw, {"/": "news", "/polls": polls_, "/people": "s_people", "/about": "about", "/help": "help"})
    answer, vote, votes, over = draw.words(*ANSWER), draw.words(*VOTE), draw.words(*VOTES), draw.words(*OVER)
    topics = draw.some("subjects", draw.number(4, 8))
    options = {each: draw.some("goods", 4) for each in topics}
    counts = {each: dict(zip(options[each], draw.sample(range(3, 90), 4), strict=True)) for each in topics}
    closed = topics[-1]
    site.data = {"votes": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.brand), ui.text(*draw.all("filler")[:3])]

    @site.page("/polls")
    def listing(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(sum(counts[each].values()))], f"/poll/{at}") for at, each in enumerate(topics)]
        return [ui.heading(polls_), ui.table([draw.word("title"), draw.word("total")], rows)]

    @site.page("/poll/{at}")
    def poll(ui: Ui, at: str) -> Sequence[str]:
        one = topics[int(at)]
        form = ui.form("vote", [ui.choose("option", answer, ["–", *options[one]])], vote, topic=one)
        parts = [ui.heading(one), ui.text(over) if one == closed else form]
        return [*parts, ui.link(votes, f"/votes/{at}")]

    @site.page("/votes/{at}")
    def results(ui: Ui, at: str) -> Sequence[str]:
        one = topics[int(at)]
        rows = [Row([each, str(n)]) for each, n in counts[one].items()]
        return [ui.heading(f"{one}: {votes}"), ui.table([answer, votes], rows)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("vote")
    def hand_in(form: Form) -> None:
        if form["option"] == "–":
            site.notice = draw.word("required")
            return
        site.data["votes"].append([form["topic"], form["option"]])
        site.notice = draw.word("sent")

    kind = draw.pick(draw.kinds())
    topic = closed if kind == "closed" else draw.pick(topics[:-1])
    option = draw.pick(options[topic])
    leader = max(options[topic], key=lambda each: counts[topic][each])

    def steps() -> Iterator[Step]:
        yield click(polls_)
        yield click(topic)
        if kind in ("lead", "number"):
            yield click(votes)
            one = leader if kind == "lead" else option
            yield done(f"{one}: {counts[topic][one]} {votes}", see=one)
        elif kind == "closed":
            yield give_up(f"{topic}: {over}", see=over, why="no vote is taken any more")
        elif kind == "which":
            yield ask(f"{answer}: {' / '.join(options[topic])}?", why="the goal does not say which answer")
        yield choose(answer, option)
        yield click(vote)
        yield done(f"{draw.word('sent')} {topic}: {option}", see=draw.word("sent"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("vote", "which"):
            data["votes"].append([topic, option])

    answers = {"lead": [leader], "number": [str(counts[topic][option])]}.get(kind, [])
    person = option if kind == "which" else ""
    ending = "give_up" if kind == "closed" else "done"
    site.task(
        draw.goal(kind, topic=topic, option=option), steps, want=want, answer=answers, person=person, ending=ending
    )
    return site
