"""Asks a running Ollama which models it serves and what they can do."""

import re
from typing import Any

from pilotfish.core.messages import ModelFacts

_TIMEOUT = 1.0
_SMALL_BILLIONS = 15.0  # billions of parameters; below that a model needs help
_WINDOW = 8192  # Ollama's default window, whatever the model's maximum is


async def list_models(url: str) -> list[str]:
    """The chat models it serves, newest first; none if no Ollama runs."""
    answer = await _request("GET", f"{url.rstrip('/')}/api/tags")
    names = [str(model.get("name", "")) for model in answer.get("models", [])]
    return [name for name in names if name and not re.search(r"embed|bge-|minilm", name)]


async def read_facts(url: str, model: str, known: ModelFacts) -> ModelFacts:
    """`known`, refined by Ollama's facts about the model."""
    answer = await _request("POST", f"{url.rstrip('/')}/api/show", {"model": model})
    can = answer.get("capabilities")
    if can:
        known = known.model_copy(update={"vision": "vision" in can, "tools": "tools" in can})
    window = re.search(r"num_ctx\s+(\d+)", str(answer.get("parameters", "")))
    size = re.fullmatch(r"([\d.]+)B", str(answer.get("details", {}).get("parameter_size", "")))
    small = float(size[1]) < _SMALL_BILLIONS if size else known.small
    return known.model_copy(update={"window": int(window[1]) if window else _WINDOW, "small": small})


async def _request(method: str, url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    import httpx2

    try:
        async with httpx2.AsyncClient(timeout=_TIMEOUT, trust_env=False) as client:
            response = await client.request(method, url, json=body)
            answer = response.raise_for_status().json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}
