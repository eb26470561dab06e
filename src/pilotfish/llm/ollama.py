"""What a running Ollama says of itself: which models it serves and what they can do."""

import re
from typing import Any

from pilotfish.core.messages import Facts

_GLANCE = 1.0
_SMALL = 9.0  # billions of parameters; below that a model needs help
_WINDOW = 8192  # what Ollama gives a model when nothing else is set, whatever the model could hold


async def models(url: str) -> list[str]:
    """The chat models it serves, newest first; none where there is no Ollama."""
    told = await _told("GET", f"{url.rstrip('/')}/api/tags")
    names = [str(model.get("name", "")) for model in told.get("models", [])]
    return [name for name in names if name and not re.search(r"embed|bge-|minilm", name)]


async def facts(url: str, model: str, known: Facts) -> Facts:
    """`known`, made exact by what it says of the model."""
    told = await _told("POST", f"{url.rstrip('/')}/api/show", {"model": model})
    can = told.get("capabilities")
    if can:
        known = known.model_copy(update={"vision": "vision" in can, "tools": "tools" in can})
    window = re.search(r"num_ctx\s+(\d+)", str(told.get("parameters", "")))
    size = re.fullmatch(r"([\d.]+)B", str(told.get("details", {}).get("parameter_size", "")))
    small = float(size[1]) < _SMALL if size else known.small
    return known.model_copy(update={"window": int(window[1]) if window else _WINDOW, "small": small})


async def _told(method: str, url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    import httpx2

    try:
        async with httpx2.AsyncClient(timeout=_GLANCE, trust_env=False) as client:
            response = await client.request(method, url, json=body)
            told = response.raise_for_status().json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
