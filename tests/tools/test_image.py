"""Pictures: painted by an image model, or drawn as SVG with nothing in it that could run."""

import base64
import json

import pytest

from pilotfish.core.errors import ToolError
from pilotfish.core.events import FileSaved, ToolFinished
from pilotfish.core.settings import ModelSettings
from pilotfish.llm import image_model
from pilotfish.llm.image_model import ImageModel
from pilotfish.tools import image
from pilotfish.tools.image import sanitise_svg
from scripted_app import Open, script
from tools.using import run_tools
from web.loopback import Reply, site

pytestmark = pytest.mark.anyio
WISH = ("image_generate", {"description": "a blue circle"})
CIRCLE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="blue"/></svg>'
PNG = b"\x89PNG\r\n\x1a\n"
BLUE = base64.b64encode(PNG).decode()


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        '<image href="https://evil.example/x.png"/>',
        '<foreignObject><iframe src="https://evil.example"/></foreignObject>',
        '<rect onload="alert(1)" width="1" height="1"/>',
        '<a href="javascript:alert(1)"><text>x</text></a>',
        '<use href="https://evil.example/#x"/>',
        '<rect style="background:url(https://evil.example)"/>',
        '<rect fill="url(https://evil.example/#a)"/>',
        "<style>@import url(https://evil.example)</style>",
        '<animate attributeName="href" to="javascript:alert(1)"/>',
    ],
)
def test_nothing_that_runs_loads_or_links_stays_in_a_drawing(evil: str) -> None:
    clean = sanitise_svg(CIRCLE.replace("<circle", f"{evil}<circle"))
    assert "circle" in clean and not any(bad in clean for bad in ("evil", "alert", "script", "onload", "import"))


def test_words_around_a_drawing_are_left_out_and_own_references_stay() -> None:
    own = CIRCLE.replace('fill="blue"', 'fill="url(#g)"')
    assert "url(#g)" in sanitise_svg(f"Here it is:\n```svg\n{own}\n```")


def test_colours_that_stand_in_a_style_are_kept_and_nothing_else_of_it() -> None:
    clean = sanitise_svg(
        CIRCLE.replace("viewBox", 'style="fill: red; background: url(http://a.test); stroke:none" viewBox')
    )
    assert 'fill="red"' in clean and 'stroke="none"' in clean and "a.test" not in clean and "style" not in clean
    assert "a.test" not in sanitise_svg(CIRCLE.replace("<circle", '<circle style="fill: url(http://a.test/#g)"'))


@pytest.mark.parametrize(
    "text", ["no drawing", "<svg><circle></svg>", "<html></html>", '<!DOCTYPE x [<!ENTITY a "b">]>']
)
def test_what_is_no_drawing_is_an_error_that_says_what_to_do(text: str) -> None:
    with pytest.raises(ToolError) as error:
        sanitise_svg(text)
    assert error.value.fix == "Describe a simpler picture."


@pytest.mark.slow
async def test_without_an_image_model_the_main_model_draws_and_says_so(opened: Open) -> None:
    fish = await opened()
    script(fish, [json.dumps({"svg": CIRCLE})])
    [result] = await run_tools(fish, WISH)
    assert result.ok and "No image model is set" in result.output
    story = await fish.events(result.run)
    png, svg = (event for event in story if isinstance(event, FileSaved))
    assert (png.media, svg.media) == ("image/png", "image/svg+xml")
    assert (fish.settings.home / "runs" / result.run / png.name).read_bytes().startswith(PNG)


async def paint(opened: Open, answer: object) -> ToolFinished:
    async with site() as web:
        web.json("/v1/images/generations", answer)
        models = ModelSettings(image="openai-compatible:painter", base_url=f"{web.url}/v1")
        return (await run_tools(await opened(models=models), WISH))[0]


async def test_an_image_model_paints_and_its_price_is_unknown(opened: Open) -> None:
    result = await paint(opened, {"data": [{"b64_json": base64.b64encode(PNG).decode()}]})
    assert result.ok and result.output == "The picture is picture.png."
    assert not result.usage.priced


@pytest.mark.parametrize("answer", [{}, {"data": []}, {"data": [{"b64_json": "?"}]}, [1], "words"])
async def test_an_image_model_that_sends_no_picture_is_a_clear_error(opened: Open, answer: object) -> None:
    result = await paint(opened, answer)
    assert not result.ok and "not a picture" in result.error


async def test_an_image_model_that_is_not_there_is_a_clear_error(opened: Open) -> None:
    models = ModelSettings(image="openai-compatible:painter", base_url="http://127.0.0.1:9/v1")
    [result] = await run_tools(await opened(models=models), WISH)
    assert not result.ok and "cannot be reached" in result.error


async def test_a_model_that_draws_too_slowly_says_so_in_time(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "DRAWING", 0.0)
    fish = await opened()
    script(fish, [json.dumps({"svg": CIRCLE})])
    [result] = await run_tools(fish, WISH)
    assert not result.ok and "did not draw it within 0 seconds. Say that you cannot draw it" in result.error


@pytest.mark.parametrize(
    ("model", "path", "answer"),
    [
        ("openai:gpt-image-1", "/images/generations", {"data": [{"b64_json": BLUE}]}),
        ("openai:dall-e-3", "/images/generations", {"data": [{"b64_json": BLUE}]}),
        ("google:imagen-4", "/models/imagen-4:predict", {"predictions": [{"bytesBase64Encoded": BLUE}]}),
        (
            "google:gemini-image",
            "/models/gemini-image:generateContent",
            {"candidates": [{"content": {"parts": [{"text": "Here"}, {"inlineData": {"data": BLUE}}]}}]},
        ),
    ],
)
async def test_each_kind_of_image_model_is_asked_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, model: str, path: str, answer: object
) -> None:
    async with site() as web:
        web.json(path, answer)
        monkeypatch.setattr(image_model, "ADDRESSES", {"openai": web.url, "google": web.url})
        painter = ImageModel(ModelSettings(image=model), {"openai": "k", "google": "k"})
        assert painter.ready and await painter.generate("a blue circle") == PNG
        asked = json.loads(web.asked[0].body)
        assert ("response_format" in asked) == (model == "openai:dall-e-3")


async def test_a_server_that_refuses_the_format_is_asked_without_it() -> None:
    async with site() as web:
        right, wrong = Reply(json.dumps({"data": [{"b64_json": BLUE}]}).encode()), Reply(status=400)
        web.at("/v1/images/generations", lambda asked: wrong if b"response_format" in asked.body else right)
        settings = ModelSettings(image="openai-compatible:painter", base_url=f"{web.url}/v1")
        assert await ImageModel(settings).generate("a blue circle") == PNG
