"""What the application of a class, or of a review, answers where a request fails."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.refused_json import refusal_response
from explorer.school.judging.answer import WrongAnswer
from models.refusal import Refusal


def answer_errors(app: Starlette, *, page: str, again: str) -> None:
    """Answer refusals and errors of `app` as JSON; `page` says where to go, `again` what follows an internal error."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal)
        if isinstance(error, ClassRefusal):
            return refusal_response(error.title, error.detail, error.status)
        return refusal_response(error.title, error.detail, 400 if isinstance(error, WrongAnswer) else 409)

    async def no_route(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return refusal_response("This cannot be done here", page, 405, error.headers)
        return refusal_response("There is nothing here", page, 404)

    async def unforeseen(request: Request, error: Exception) -> Response:
        return refusal_response("Tailscope had an internal error", again, 500)

    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(HTTPException, no_route)
    app.add_exception_handler(Exception, unforeseen)
