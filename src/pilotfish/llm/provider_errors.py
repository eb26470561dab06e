"""Translates failures of providers into ModelErrors that say who must act, and how."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.core.errors import ModelError, RequestTooLong

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError

KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openrouter": ("OPENROUTER_API_KEY",),
    "openai-compatible": ("the setting models.api_key",),
}
_OTHER_MODEL = "Or choose another model in the setting models.main."


def translate_error(error: "AgentRunError", name: str, near: Sequence[str] = ()) -> ModelError:
    """The ModelError that says what `error` means for the person who chose the model `name`."""
    from pydantic_ai import exceptions as e

    provider = name.partition(":")[0]
    match error:
        case e.ModelQuotaExceededError():
            return ModelError(f"The account for {provider} has no credit left.", f"Top it up. {_OTHER_MODEL}")
        case e.ModelAuthenticationError():
            key = " or ".join(KEYS.get(provider, ("its key",)))
            return ModelError(f"{provider} refuses the key for {name}.", f"Check {key}. {_OTHER_MODEL}")
        case e.ModelNotFoundError():
            return unknown_model_error(name, near)
        case e.ModelContextWindowExceededError():
            return _too_long_error(name)
        case e.ModelRequestRejectedError() if "exceed_context_size" in str(error):  # llama.cpp's word for it
            return _too_long_error(name)
        case e.ModelRateLimitError():
            return _transient_error(f"{provider} says there are too many requests for {name} just now.")
        case e.ModelTimeoutError() | e.ModelRequestTimeout():
            return _transient_error(f"{name} did not answer in time.")
        case e.ModelConnectionError():
            return unreachable_error(name)
        case e.ModelUnavailableError() | e.ModelServerError():
            return _transient_error(f"{provider} cannot serve {name} just now.")
        case e.ModelAPIError():
            return ModelError(
                f"{name} rejected the request: {_shorten_error(error)}", _OTHER_MODEL.removeprefix("Or ").capitalize()
            )
        case _:
            return _transient_error(f"{name} gave no usable answer: {_shorten_error(error)}")


def unknown_model_error(name: str, near: Sequence[str] = ()) -> ModelError:
    """The error for a model that does not exist."""
    hint = f"Did you mean {' or '.join(near)}?" if near else "Check the name in the setting models.main."
    return ModelError(f"There is no model {name!r}.", hint)


def unreachable_error(name: str) -> ModelError:
    """The error for a server that does not answer."""
    local = name.startswith("ollama:")
    fix = "Start it with `ollama serve`." if local else "Check the network and the address, then try again."
    return ModelError(f"{name} cannot be reached.", fix, transient=True)


def cut_off_error(name: str) -> ModelError:
    """The error for an answer that broke off."""
    return _transient_error(f"The answer of {name} broke off.")


def _too_long_error(name: str) -> ModelError:
    return RequestTooLong(f"The text is too long for {name}.", "Ask about less at once, or use a larger model.")


def _transient_error(message: str) -> ModelError:
    return ModelError(message, "Wait a little and try again, or set a model in models.fallback.", transient=True)


def _shorten_error(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:299] + "…"
