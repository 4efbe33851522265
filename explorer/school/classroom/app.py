"""The learners' application: the files of their page and the routes of the class, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from explorer.school.class_file.learner_page import LEARNER_PAGE
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.guard import ClassGuard
from explorer.school.classroom.page_files import file_route
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.refused_json import refusal_response
from explorer.school.classroom.routes import LearnerRoutes
from explorer.school.judging.answer import WrongAnswer
from models.refusal import Refusal


def class_app(classroom: Classroom, files: Mapping[str, bytes], names: Iterable[str], *, encrypted: bool) -> ClassGuard:
    """Return the learners' application; `files` are their page's files by name, `names` the hosts it answers to."""
    learners = LearnerRoutes(classroom, encrypted=encrypted)
    pages = [file_route(name, content, LEARNER_PAGE) for name, content in files.items()]
    app = Starlette(
        routes=[*learners.routes(), *pages],
        exception_handlers={Refusal: _refused, HTTPException: _no_route, Exception: _unforeseen},
    )
    app.router.redirect_slashes = False
    return ClassGuard(app, names, encrypted=encrypted)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    if isinstance(error, ClassRefusal):
        return refusal_response(error.title, error.detail, error.status)
    return refusal_response(error.title, error.detail, 400 if isinstance(error, WrongAnswer) else 409)


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return refusal_response("This cannot be done here", "Open the page of the class.", 405, error.headers)
    return refusal_response("There is nothing here", "Open the page of the class.", 404)


async def _unforeseen(request: Request, error: Exception) -> Response:
    return refusal_response("Tailscope had an internal error", "Try again, and tell the teacher.", 500)
