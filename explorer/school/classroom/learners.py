"""The learners of a class: each has a nickname and a token, of which only a hash is kept, in memory."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from explorer.school.classroom.nickname import lookalike_key
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.judged import AnswerResult

MAX_LEARNERS = 200
SILENT_AFTER_S = 60.0  # s; an open page sends a request every 20 s
MAX_REMOVED_DEVICES = 10_000  # number of devices remembered as removed

DeviceRefusal = tuple[str, str, int]  # the arguments of a ClassRefusal for a device that was removed
PLACE_GIVEN_AWAY: DeviceRefusal = (
    "Your place was given to someone else",
    "The class was full, and you had not answered anything. Type the code to join again.",
    401,
)
PLACE_CLEARED: DeviceRefusal = (
    "Your place was cleared",
    "The teacher removed everyone who had not answered anything. Type the code to join again.",
    401,
)
REMOVED_FOR_GOOD: DeviceRefusal = ("The teacher has removed you from the class", "This device cannot join again.", 403)
REMOVED_MAY_REJOIN: DeviceRefusal = (
    "The teacher has removed you from the class",
    "Choose another nickname to join again.",
    401,
)


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A saved answer and its result, which stays secret until the reveal."""

    answer: LearnerAnswer
    judged: AnswerResult


@dataclass(slots=True, eq=False)
class Learner:
    """A learner; `number` counts learners from 0, in the order in which they joined.

    `answers` are on disk, by film; `pending` answers are being written. `again` and `pending_again` are the same of
    second answers, given after seeing a model's. `last_request` is a monotonic time in s.
    """

    number: int
    nickname: str
    answers: dict[int, JudgedAnswer] = field(default_factory=dict)
    pending: dict[int, tuple[LearnerAnswer, Future[None]]] = field(default_factory=dict)
    again: dict[int, JudgedAnswer] = field(default_factory=dict)
    pending_again: dict[int, tuple[LearnerAnswer, Future[None]]] = field(default_factory=dict)
    last_request: float = field(default_factory=time.monotonic)

    def given(self, film: int, *, second: bool = False) -> LearnerAnswer | None:
        """Return the first or second answer to a film, whether already on disk or being written."""
        kept, pending = (self.again, self.pending_again) if second else (self.answers, self.pending)
        if film in kept:
            return kept[film].answer
        return pending[film][0] if film in pending else None

    @property
    def never_answered(self) -> bool:
        """Whether nothing but the nickname is stored about this learner."""
        return not self.answers and not self.pending


class Learners:
    """At most 200 learners with distinguishable nicknames. Not thread-safe."""

    def __init__(self) -> None:
        self._by_hash: dict[bytes, Learner] = {}
        self._by_nickname: dict[str, Learner] = {}
        self._gone: OrderedDict[bytes, DeviceRefusal] = OrderedDict()
        self._numbers = 0

    def __len__(self) -> int:
        return len(self._by_nickname)

    def __iter__(self) -> Iterator[Learner]:
        return iter(list(self._by_nickname.values()))  # a copy, because others may join in the meantime

    def __contains__(self, learner: Learner) -> bool:
        return self._by_nickname.get(lookalike_key(learner.nickname)) is learner

    def add(self, nickname: str) -> tuple[Learner, str]:
        """Add a learner; returns the learner and their device's token. Raises ClassRefusal."""
        self.refuse_taken(nickname)
        if len(self) >= MAX_LEARNERS:
            raise ClassRefusal(
                "The class is full", f"A class has room for {MAX_LEARNERS} learners. Watch with a neighbor.", 403
            )
        learner, token = Learner(self._numbers, nickname), secrets.token_urlsafe(32)
        self._numbers += 1
        self._by_nickname[lookalike_key(nickname)] = self._by_hash[_hash(token)] = learner
        return learner, token

    def refuse_taken(self, nickname: str) -> None:
        """Raise ClassRefusal if the nickname is taken."""
        if lookalike_key(nickname) in self._by_nickname:
            raise ClassRefusal(
                f"{nickname} is taken", "Someone in the class has this nickname. Choose another one.", 409
            )

    def longest_silent(self) -> Learner | None:
        """If the class is full, return the learner silent for longest, at least a minute, who never answered."""
        if len(self) < MAX_LEARNERS:
            return None
        late = time.monotonic() - SILENT_AFTER_S
        candidates = (each for each in self if each.never_answered and each.last_request <= late)
        return min(candidates, key=lambda each: each.last_request, default=None)

    def named(self, nickname: str) -> Learner:
        """Return the learner with this nickname. Raises ClassRefusal."""
        if (learner := self._by_nickname.get(lookalike_key(nickname))) is None:
            raise ClassRefusal("There is no such learner", "Choose one from the list.", 404)
        return learner

    def remove(self, learner: Learner, why: DeviceRefusal | None = None) -> None:
        """Remove a learner and remember `why` for the device; without `why`, the learner is forgotten."""
        self._by_nickname.pop(lookalike_key(learner.nickname), None)
        for key in [key for key, each in self._by_hash.items() if each is learner]:
            del self._by_hash[key]
            if why is not None:
                self._gone[key] = why
        while len(self._gone) > MAX_REMOVED_DEVICES:
            self._gone.popitem(last=False)

    def of(self, token: str) -> Learner | None:
        """Return the learner whose device sent this token. Looks up a hash, so response times reveal nothing about it.

        Raises ClassRefusal if the learner was removed.
        """
        key = _hash(token)
        if (why := self._gone.get(key)) is not None:
            raise ClassRefusal(*why)
        return self._by_hash.get(key)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
