"""Makes pictures with an image model behind the API of OpenAI, Google, or a server compatible with OpenAI's."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import ModelSettings

TIMEOUT = 240.0
ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}
FORMAT = {"response_format": "b64_json"}
FIELDS = ("b64_json", "data", "bytesBase64Encoded")
"""Where the answers have the picture."""


class ImageModel:
    """Asks the image model for a picture. `ready` is false if no usable one is set."""

    def __init__(self, settings: ModelSettings, keys: Mapping[str, str] | None = None) -> None:
        self.settings = settings
        self._provider, _, self._model = settings.image.partition(":")
        own = self._provider == "openai-compatible"
        self._key = settings.api_key.get_secret_value() if own else (keys or {}).get(self._provider, "")
        self._base = (settings.base_url if own else ADDRESSES.get(self._provider, "")).rstrip("/")

    @property
    def ready(self) -> bool:
        return bool(self._model and self._base)

    async def generate(self, prompt: str) -> bytes:
        """The picture, mostly as PNG."""
        import httpx2

        try:
            async with httpx2.AsyncClient(timeout=TIMEOUT) as client:
                reply = await self._ask(client, prompt)
            reply.raise_for_status()
            return base64.b64decode(next(_pictures(reply.json())), validate=True)
        except httpx2.HTTPStatusError as error:
            raise ToolError(f"The image model answered with status {error.response.status_code}.") from None
        except httpx2.HTTPError as error:
            raise ToolError(f"The image model cannot be reached: {type(error).__name__}.") from None
        except (ValueError, StopIteration, binascii.Error):
            raise ToolError("The image model sent something that is not a picture.") from None

    async def _ask(self, client: Any, prompt: str) -> Any:
        if self._provider == "google":
            return await self._ask_google(client, prompt)
        address = f"{self._base}/images/generations"
        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        body = {"model": self._model, "prompt": prompt, "n": 1}
        # OpenAI's newer models refuse the format, which they always use; older ones and other servers need it.
        plain = self._provider == "openai" and not self._model.startswith("dall-e")
        reply = await client.post(address, json=body if plain else {**body, **FORMAT}, headers=headers)
        if reply.status_code == 400 and not plain:
            reply = await client.post(address, json=body, headers=headers)
        return reply

    async def _ask_google(self, client: Any, prompt: str) -> Any:
        headers = {"x-goog-api-key": self._key}
        if self._model.startswith("imagen"):
            body: dict[str, Any] = {"instances": [{"prompt": prompt}], "parameters": {"sampleCount": 1}}
            return await client.post(f"{self._base}/models/{self._model}:predict", json=body, headers=headers)
        wanted = {"responseModalities": ["TEXT", "IMAGE"]}
        body = {"contents": [{"parts": [{"text": prompt}]}], "generationConfig": wanted}
        return await client.post(f"{self._base}/models/{self._model}:generateContent", json=body, headers=headers)


def _pictures(answer: object) -> Iterator[str]:
    """Every picture in an answer, as base64."""
    if isinstance(answer, list):
        for each in cast(list[object], answer):
            yield from _pictures(each)
    elif isinstance(answer, dict):
        for name, value in cast(dict[str, object], answer).items():
            if name in FIELDS and isinstance(value, str):
                yield value
            else:
                yield from _pictures(value)
