"""The learners' application: the files of their page and the routes of the class, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from explorer.school.class_file.learner_page import LEARNER_PAGE
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.guard import ClassGuard
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.refused_json import refusal_response
from explorer.school.classroom.routes import LearnerRoutes
from explorer.school.judging.answer import WrongAnswer
from models.refusal import Refusal

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}


def class_app(classroom: Classroom, files: Mapping[str, bytes], names: Iterable[str], *, encrypted: bool) -> ClassGuard:
    """Return the learners' application; `files` are their page's files by name, `names` the hosts it answers to."""
    learners = LearnerRoutes(classroom, encrypted=encrypted)
    pages = [_file_route(name, content) for name, content in files.items()]
    app = Starlette(
        routes=[*learners.routes(), *pages],
        exception_handlers={Refusal: _refused, HTTPException: _no_route, Exception: _unforeseen},
    )
    app.router.redirect_slashes = False
    return ClassGuard(app, names, encrypted=encrypted)


def _file_route(name: str, content: bytes) -> BaseRoute:
    """Return the route of a file: its name, or `/` for the page itself; browsers revalidate it on each load."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    headers = {"cache-control": "no-cache", "etag": tag}
    kind = MEDIA_TYPES[PurePosixPath(name).suffix]

    async def file(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route("/" if name == LEARNER_PAGE else f"/{name}", file)


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
