"""The readers' application: the files of their page and the routes of one review, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.school.classroom.app_errors import answer_errors
from explorer.school.classroom.guard import ClassGuard
from explorer.school.classroom.page_files import file_route
from explorer.school.classroom.rate_limits import (
    REQUEST_LIMIT,
    WRONG_CODE_LIMIT,
    RateLimit,
    sender_address,
)
from explorer.school.classroom.refusal import too_fast
from explorer.school.classroom.refused_json import NO_STORE
from explorer.school.classroom.sent_json import sent_json
from explorer.school.reviews.desk import ReviewDesk
from explorer.school.reviews.reader_page import READER_PAGE
from explorer.school.reviews.review import ReviewRefusal

READER_COOKIE = "review"
WRONG_HOST = "No review has this address", "Open the address that you were given."
FOREIGN = "The request came from another site", "The review answers only its own page. Open it in its own tab."


class ReaderRoutes:
    """The routes of a review; all but `enter` require a reader's token."""

    def __init__(self, desk: ReviewDesk, *, encrypted: bool) -> None:
        self._desk = desk
        self._encrypted = encrypted
        self._asks = RateLimit(*REQUEST_LIMIT)
        self._wrong = RateLimit(*WRONG_CODE_LIMIT)

    def routes(self) -> list[Route]:
        """Return all routes except the page's files."""
        return [
            Route("/enter", self.enter, methods=["POST"]),
            Route("/me", self.me),
            Route("/film/{place}", self.film),
            Route("/picture/{place}", self.picture),
            Route("/vote", self.vote, methods=["POST"]),
        ]

    async def enter(self, request: Request) -> Response:
        """Enter with a reader's code; the work goes on where it stopped, on any device."""
        sent = await sent_json(request)
        try:
            token = await run_in_threadpool(self._desk.enter, sent.get("code"))
        except ReviewRefusal as refusal:
            if refusal.status == 403 and (wait := self._wrong.take(sender_address(request))):
                raise ReviewRefusal(
                    "Too many wrong codes came from this network", f"Wait {max(1, round(wait))} s, then try again.", 429
                ) from refusal
            raise
        answer = _json(await run_in_threadpool(lambda: self._desk.me(self._desk.reader(token))))
        answer.set_cookie(READER_COOKIE, token, path="/", httponly=True, samesite="strict", secure=self._encrypted)
        return answer

    async def me(self, request: Request) -> Response:
        """Return how far this device's reader is."""
        return _json(await run_in_threadpool(self._desk.me, self._reader(request)))

    async def film(self, request: Request) -> Response:
        """Return a film that is open to the reader."""
        return _json(await run_in_threadpool(self._desk.film, self._reader(request), _place(request)))

    async def picture(self, request: Request) -> Response:
        """Return the picture of a film that is open to the reader."""
        found = await run_in_threadpool(self._desk.picture, self._reader(request), _place(request))
        return Response(found, media_type="image/webp", headers=NO_STORE)

    async def vote(self, request: Request) -> Response:
        """Store a vote; the answer means that it is durable."""
        reader, sent = self._reader(request), await sent_json(request)
        return _json(await run_in_threadpool(self._desk.vote, reader, sent))

    def _reader(self, request: Request) -> int:
        """Return the reader of the requesting device; counts one request. Raises ReviewRefusal."""
        reader = self._desk.reader(request.cookies.get(READER_COOKIE, ""))
        if wait := self._asks.take(reader):
            raise too_fast(wait)
        return reader


def review_app(desk: ReviewDesk, files: Mapping[str, bytes], names: Iterable[str], *, encrypted: bool) -> ClassGuard:
    """Return the readers' application; `files` are their page's files by name, `names` the hosts it answers to."""
    routes = ReaderRoutes(desk, encrypted=encrypted).routes()
    pages = [file_route(name, content, READER_PAGE) for name, content in files.items()]
    app = Starlette(routes=[*routes, *pages])
    answer_errors(app, page="Open the page of the review.", again="Try again.")
    app.router.redirect_slashes = False
    return ClassGuard(app, names, encrypted=encrypted, wrong_host=WRONG_HOST, foreign=FOREIGN)


def _place(request: Request) -> int:
    """Return the place in the address. Raises HTTPException if it is not a number of at most four digits."""
    digits = request.path_params["place"]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        raise HTTPException(404)
    return int(digits)


def _json(payload: object) -> JSONResponse:
    return JSONResponse(payload, headers=NO_STORE)
