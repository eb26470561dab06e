"""Errors as they leave the server: problem+json with a sentence, a fix and a code."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic_core import to_json
from starlette.exceptions import HTTPException

from pilotfish.core import errors
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from fastapi import FastAPI

MEDIA = "application/problem+json"
KINDS: tuple[tuple[type[errors.PilotfishError], int, str], ...] = (
    (errors.NotFoundError, 404, "not_found"),
    (errors.UnclearTimeError, 400, "unclear_time"),
    (errors.SettingsError, 422, "bad_setting"),
    (errors.ModelError, 503, "model"),
    (errors.StoreError, 503, "store"),
    (errors.BrowserError, 503, "browser"),
    (errors.ToolError, 409, "page"),
    (errors.PersonError, 400, "bad_request"),
)


class Problem(Value):
    """What went wrong: `title` names it, `detail` is the sentence, `fix` the one thing to do next."""

    status: int
    code: str
    title: str
    detail: str
    fix: str = ""


class RequestRefused(errors.PilotfishError):
    """The server refuses a request."""

    def __init__(self, status: int, code: str, message: str, fix: str = "") -> None:
        super().__init__(message, fix)
        self.status = status
        self.code = code


def problem_for(error: errors.PilotfishError) -> Problem:
    if isinstance(error, RequestRefused):
        return make_problem(error.status, error.code, error.message, error.fix)
    status, code = next(((s, c) for kind, s, c in KINDS if isinstance(error, kind)), (500, "internal"))
    return make_problem(status, code, error.message, error.fix)


def make_problem(status: int, code: str, detail: str, fix: str = "") -> Problem:
    return Problem(status=status, code=code, title=HTTPStatus(status).phrase, detail=detail, fix=fix)


def problem_response(what: Problem, path: str = "") -> Response:
    """The problem as a response; below /v1 in the format of OpenAI's API."""
    headers = {"retry-after": "1"} if what.status == HTTPStatus.TOO_MANY_REQUESTS else None
    if path.startswith("/v1/"):
        kind = "server_error" if what.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
        error = {"message": f"{what.detail} {what.fix}".strip(), "type": kind, "param": None, "code": what.code}
        return Response(to_json({"error": error}), what.status, headers, "application/json")
    return Response(what.model_dump_json(), what.status, headers, MEDIA)


def validation_problem(found: RequestValidationError) -> Problem:
    """What is wrong with a request, without its values."""
    detail = "; ".join(f"{'.'.join(map(str, one['loc'][1:])) or 'body'}: {one['msg']}" for one in found.errors()[:5])
    return make_problem(422, "invalid", f"The request is not as it should be: {detail}.", "See /api/openapi.json.")


def install_handlers(app: "FastAPI") -> None:
    """Return every error of the app in this format."""

    async def answer_own_error(request: Request, error: errors.PilotfishError) -> Response:
        return problem_response(problem_for(error), request.url.path)

    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return problem_response(validation_problem(error), request.url.path)

    async def answer_http_error(request: Request, error: HTTPException) -> Response:
        code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
        return problem_response(
            make_problem(error.status_code, code, str(error.detail).rstrip(".") + "."), request.url.path
        )

    async def answer_bug(request: Request, error: Exception) -> Response:
        detail = f"Something went wrong inside Pilotfish: {type(error).__name__}."
        fix = "Try again, or report it with the server's log."
        return problem_response(make_problem(500, "internal", detail, fix), request.url.path)

    handlers: dict[Any, Any] = {
        errors.PilotfishError: answer_own_error,
        RequestValidationError: invalid,
        HTTPException: answer_http_error,
        Exception: answer_bug,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
