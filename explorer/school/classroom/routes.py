"""All routes for learners' devices; there are no others."""

from __future__ import annotations

import time
from concurrent.futures import Future

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from explorer.school.classroom import payloads
from explorer.school.classroom.bell import Bell
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.learners import Learner
from explorer.school.classroom.loop_calls import LoopCalls
from explorer.school.classroom.rate_limits import Admission
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.refused_json import NO_STORE
from explorer.school.classroom.sent_json import sent_json
from explorer.school.classroom.session import Session, WrongCode
from explorer.school.classroom.sheet import sheet_csv, sheet_payload
from explorer.school.judging.model_answer import model_answer_payload

LEARNER_COOKIE = "class"
LONG_POLL_S = 20.0  # s for which a request waits for news before the device repeats it
WRITE_TIMEOUT_S = 10.0  # s to wait until an answer is durable; a device that is refused sends its answer again


class LearnerRoutes:
    """A classroom's routes for learners; all but `join` require a learner's token."""

    def __init__(self, classroom: Classroom, *, encrypted: bool) -> None:
        self._classroom = classroom
        self._encrypted = encrypted
        self._admission = Admission()
        self._calls = LoopCalls()
        self._bell = Bell(self._calls)
        classroom.listen(self._bell.ring)

    def routes(self) -> list[BaseRoute]:
        """Return all routes of the class except its page."""
        return [
            Route("/join", self.join, methods=["POST"]),
            Route("/answer", self.answer, methods=["POST"]),
            Route("/me", self.me),
            Route("/state", self.state),
            Route("/findings", self.findings),
            Route("/film/{film}", self.film),
            Route("/picture/{film}/{place}", self.picture),
            Route("/model/{film}", self.model),
            Route("/reveal/{film}", self.reveal),
            Route("/sheet", self.sheet),
            Route("/sheet.csv", self.sheet_csv),
        ]

    async def join(self, request: Request) -> Response:
        """Join with the class's code and a nickname; a device that has already joined gets its learner's data."""
        sent = await sent_json(request)
        try:
            return _json(payloads.me_payload(*self._learner(request)))
        except ClassRefusal as refusal:
            if refusal.status != 401:
                raise
        session = self._classroom.session()
        try:
            if session is None:
                raise WrongCode
            session.check_code(sent.get("code"))
            self._admission.join(request)
            learner, token, kept = session.join(sent.get("code"), sent.get("nickname"))
        except WrongCode:
            self._admission.wrong(session, request)
            raise
        await self._wait_until_saved(kept)
        answer = _json(payloads.me_payload(session, learner))
        answer.set_cookie(LEARNER_COOKIE, token, path="/", httponly=True, samesite="strict", secure=self._encrypted)
        return answer

    async def answer(self, request: Request) -> Response:
        """Save an answer; the acknowledgment means it is durable."""
        session, learner = self._learner(request)
        self._admission.answer(session, learner)
        sent = await sent_json(request)
        film = sent.get("film")
        if type(film) is not int:
            raise ClassRefusal("The answer does not name its film", "Reload the page, then answer again.", 400)
        second = sent.get("second") is True
        await self._wait_until_saved(session.answer(learner, film, sent.get("answer"), second=second))
        return _json({"kept": True})

    async def me(self, request: Request) -> Response:
        """Return the data of this device's learner."""
        return _json(payloads.me_payload(*self._learner(request)))

    async def state(self, request: Request) -> Response:
        """Return the state of the class; waits until it differs from the state that the device knows."""
        session, learner = self._learner(request)
        late, waits = time.monotonic() + LONG_POLL_S, True
        while waits and request.query_params.get("since") == str(session.version(learner)):
            waits = await self._bell.wait(learner.number, late - time.monotonic())
            session, learner = self._classroom.learner(_token(request))
        return _json(payloads.state_payload(session, learner))

    async def findings(self, request: Request) -> Response:
        """Return all finding names that an answer may use, with synonyms."""
        session, _ = self._learner(request)
        return _json(session.prepared.findings)

    async def film(self, request: Request) -> Response:
        """Return a film and its question."""
        return _json(payloads.learner_film_payload(*self._learner(request), _number(request, "film")))

    async def picture(self, request: Request) -> Response:
        """Return a picture of a film."""
        found = payloads.learner_picture(*self._learner(request), _number(request, "film"), _number(request, "place"))
        return Response(found, media_type="image/webp", headers=NO_STORE)

    async def model(self, request: Request) -> Response:
        """Return a model's answer to a film that the learner has answered."""
        session, learner = self._learner(request)
        return _json(model_answer_payload(session.model_answer(learner, _number(request, "film"))))

    async def reveal(self, request: Request) -> Response:
        """Return the truth about a film."""
        return _json(payloads.revealed_payload(*self._learner(request), _number(request, "film")))

    async def sheet(self, request: Request) -> Response:
        """Return the learner's own answers and the truth."""
        return _json(sheet_payload(*self._learner(request)))

    async def sheet_csv(self, request: Request) -> Response:
        """Return the sheet as a CSV file."""
        headers = {**NO_STORE, "content-disposition": 'attachment; filename="tailscope-class-sheet.csv"'}
        return Response(sheet_csv(sheet_payload(*self._learner(request))), media_type="text/csv", headers=headers)

    async def _wait_until_saved(self, kept: Future[None]) -> None:
        """Wait until the write is on disk. Raises ClassRefusal."""
        try:
            await self._calls.wait_for(kept, WRITE_TIMEOUT_S)
        except TimeoutError as error:
            raise ClassRefusal("This is not on disk yet", "Try again, and tell the teacher.", 503) from error

    def _learner(self, request: Request) -> tuple[Session, Learner]:
        """Return the learner of the requesting device; counts one request. Raises ClassRefusal."""
        session, learner = self._classroom.learner(_token(request))
        self._admission.ask(session, learner)
        return session, learner


def _token(request: Request) -> str:
    return request.cookies.get(LEARNER_COOKIE, "")


def _number(request: Request, name: str) -> int:
    """Return a number in the address. Raises HTTPException if it is not one, or has more than four digits."""
    digits = request.path_params[name]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        raise HTTPException(404)
    return int(digits)


def _json(payload: object) -> JSONResponse:
    return JSONResponse(payload, headers=NO_STORE)
