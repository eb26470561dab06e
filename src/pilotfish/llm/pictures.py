"""Pictures by an image model behind OpenAI's interface, or a compatible one."""

import base64
import binascii

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import Models

PATIENCE = 240.0


class Painter:
    """Asks the image tier for a picture. `ready` is false where none is set that can be asked."""

    def __init__(self, settings: Models, key: str = "") -> None:
        self.settings = settings
        self._provider, _, self._model = settings.image.partition(":")
        self._key = settings.api_key.get_secret_value() if self._provider == "openai-compatible" else key
        self._base = settings.base_url if self._provider == "openai-compatible" else "https://api.openai.com/v1"

    @property
    def ready(self) -> bool:
        return self._provider in ("openai", "openai-compatible") and bool(self._model and self._base)

    async def paint(self, prompt: str) -> bytes:
        """The picture as PNG."""
        import httpx2

        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        body = {"model": self._model, "prompt": prompt, "n": 1, "response_format": "b64_json"}
        try:
            async with httpx2.AsyncClient(timeout=PATIENCE) as client:
                reply = await client.post(f"{self._base.rstrip('/')}/images/generations", json=body, headers=headers)
            reply.raise_for_status()
            return base64.b64decode(reply.json()["data"][0]["b64_json"], validate=True)
        except httpx2.HTTPStatusError as error:
            raise ToolError(f"The image model answered with status {error.response.status_code}.") from None
        except httpx2.HTTPError as error:
            raise ToolError(f"The image model cannot be reached: {type(error).__name__}.") from None
        except (ValueError, KeyError, IndexError, TypeError, binascii.Error):
            raise ToolError("The image model sent something that is not a picture.") from None
