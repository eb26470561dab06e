"""Makes a model from its name: `openai:…`, `anthropic:…`, `ollama:…`, `embedded:…`. SDKs load on first use."""

import asyncio
import difflib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import ModelFacts
from pilotfish.core.settings import ModelSettings
from pilotfish.llm import catalog, ollama, scripted
from pilotfish.llm.adapters import find_adapter
from pilotfish.llm.base import Model
from pilotfish.llm.embedded import EmbeddedModel
from pilotfish.llm.model_facts import find_facts
from pilotfish.llm.provider_errors import KEYS
from pilotfish.llm.remote_model import ModelListing, RemoteModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model as Inner

ProviderBuilder = Callable[[str, str, ModelSettings, "AsyncClient"], "Inner"]
_CONNECT_TIMEOUT = 10.0
_NAMES = ("openai", "anthropic", "google", "openrouter", "ollama", "openai-compatible", "embedded", "scripted")
_WITHOUT_TEMPERATURE = ("openai_supports_reasoning", "anthropic_disallows_sampling_settings")
_PREFERRED_MODELS = {
    "anthropic": "claude-sonnet-5-5",
    "openai": "gpt-5.4-mini",
    "google": "gemini-flash-latest",
    "openrouter": "anthropic/claude-sonnet-5.5",
}


async def connect_model(name: str, settings: ModelSettings, home: Path) -> Model:
    """The model of that name, ready to be asked. It must be closed."""
    provider, _, model = name.partition(":")
    if provider == "scripted":
        return await asyncio.to_thread(scripted.load_script, Path(model)) if model else scripted.EchoModel()
    if provider == "embedded":
        return await asyncio.to_thread(_open_embedded, model or catalog.DEFAULT, settings, home)
    if provider not in _BUILDERS or not model:
        raise _wrong_name_error(name)
    inner, http = await asyncio.to_thread(_build_model, provider, model, settings)
    known = _refine_facts(find_facts(name), inner)
    if provider == "ollama":
        known = await ollama.read_facts(settings.ollama_url, model, known)
    temperature = None if any(inner.profile.get(trait) for trait in _WITHOUT_TEMPERATURE) else settings.temperature
    return RemoteModel(name, known, inner, http, _make_listing(name, settings), temperature)


def names_file(name: str) -> bool:
    """Whether a model's name is a path on this machine: a script, or a model file of the owner's own."""
    provider, _, rest = name.strip().partition(":")
    if provider == "scripted":
        return bool(rest)
    return provider == "embedded" and bool(rest) and rest not in catalog.CATALOG


async def choose_model(settings: ModelSettings, environ: Mapping[str, str], home: Path) -> str:
    """The model to use if none is set: of a provider with a key, of a running Ollama, else the embedded one."""
    if settings.main:
        return settings.main
    for provider, model in _PREFERRED_MODELS.items():
        if _find_key(provider, environ):
            return f"{provider}:{model}"
    if served := await ollama.list_models(settings.ollama_url):
        return f"ollama:{served[0]}"
    return f"embedded:{_choose_embedded(home)}"


def _choose_embedded(home: Path) -> str:
    """The default embedded model, unless only another one is on this machine."""
    here = [entry.name for entry in catalog.list_installed(home)]
    return catalog.DEFAULT if catalog.DEFAULT in here or not here else here[0]


def _open_embedded(model: str, settings: ModelSettings, home: Path) -> EmbeddedModel:
    own = Path(model).expanduser()
    if own.suffix == ".gguf":
        if not own.is_file():
            fix = "Check the path, or use `embedded:` for the default model."
            raise ModelError(f"There is no model file {own.name}.", fix)
        name, path = own.name, own
    else:
        name, path = model, catalog.ready_file(model, home)
    adapter = find_adapter(path) if settings.adapter else None
    return EmbeddedModel(f"embedded:{name}", path, settings.temperature, adapter)


def _build_model(provider: str, model: str, settings: ModelSettings) -> "tuple[Inner, AsyncClient]":
    from httpx2 import AsyncClient, Timeout

    key = _find_key(provider, os.environ, settings)
    if not key and provider in _PREFERRED_MODELS:
        raise ModelError(f"There is no key for {provider}.", f"Set {' or '.join(KEYS[provider])} in the environment.")
    http = AsyncClient(timeout=Timeout(settings.timeout, connect=min(_CONNECT_TIMEOUT, settings.timeout)))
    try:
        return _BUILDERS[provider](model, key, settings, http), http
    except ImportError as error:
        fix = f"Install it with `pip install 'pilotfish[{provider}]'`."
        raise ModelError(f"The library for {provider} is not installed.", fix) from error


def _refine_facts(known: ModelFacts, inner: "Inner") -> ModelFacts:
    """The table's facts, refined by the library's facts about this model."""
    window = inner.profile.get("context_window") or known.window
    shapes = known.shapes and bool(inner.profile.get("supports_json_schema_output"))
    return known.model_copy(update={"window": window, "shapes": shapes})


def _find_key(provider: str, environ: Mapping[str, str], settings: ModelSettings | None = None) -> str:
    if provider == "openai-compatible":
        return settings.api_key.get_secret_value() if settings else ""
    return next((environ[name] for name in KEYS.get(provider, ()) if environ.get(name)), "")


def _openai(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel(model, provider=OpenAIProvider(api_key=key, http_client=http))


def _anthropic(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(model, provider=AnthropicProvider(api_key=key, http_client=http))


def _google(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(model, provider=GoogleProvider(api_key=key, http_client=http))


def _openrouter(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    return OpenRouterModel(model, provider=OpenRouterProvider(api_key=key, http_client=http))


def _ollama(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    url = settings.ollama_url.rstrip("/") + "/v1"
    return OllamaModel(model, provider=OllamaProvider(base_url=url, http_client=http))


def _compatible(model: str, key: str, settings: ModelSettings, http: "AsyncClient") -> "Inner":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if not settings.base_url:
        raise ModelError("openai-compatible has no address.", "Set models.base_url, such as http://127.0.0.1:8000/v1.")
    place = OpenAICompatibleProvider("openai-compatible", base_url=settings.base_url, api_key=key, http_client=http)
    return OpenAIChatModel(model, provider=place)


_BUILDERS: dict[str, ProviderBuilder] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "openrouter": _openrouter,
    "ollama": _ollama,
    "openai-compatible": _compatible,
}


def _make_listing(name: str, settings: ModelSettings) -> ModelListing:
    provider = name.partition(":")[0]

    async def near() -> list[str]:
        served = await ollama.list_models(settings.ollama_url) if provider == "ollama" else []
        names = [f"ollama:{model}" for model in served] or await asyncio.to_thread(_list_known_names)
        return difflib.get_close_matches(name, names, n=3, cutoff=0.5)

    return near


def _list_known_names() -> list[str]:
    from pydantic_ai.models import known_model_names

    return [name for name in known_model_names() if name.partition(":")[0] in _BUILDERS]


def _wrong_name_error(name: str) -> ModelError:
    provider, colon, _ = name.partition(":")
    if colon and provider in _BUILDERS:
        return ModelError(f"The model name {name!r} ends too soon.", f"Write {provider}:MODEL.")
    known = [*_list_known_names(), *(f"embedded:{entry}" for entry in catalog.CATALOG)]
    bare = {full.partition(":")[2]: full for full in known}
    near = [bare[match] for match in difflib.get_close_matches(name.rpartition(":")[2], bare, n=2, cutoff=0.7)]
    near = near or [f"{match}:…" for match in difflib.get_close_matches(provider, _NAMES, n=2, cutoff=0.5)]
    fix = f"Did you mean {' or '.join(near)}?" if near else f"Names begin with one of: {', '.join(_NAMES)}."
    return ModelError(f"There is no model {name!r}.", fix)
