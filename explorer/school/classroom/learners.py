"""Who is in a class: a nickname and a token each, of which only a hash is kept, in memory."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from explorer.school.classroom.nickname import alike
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.answer import Answer
from explorer.school.judging.judged import Judged

MOST_LEARNERS = 200
SILENT = 60.0  # s; a page that is open asks every 20 s
MOST_TOLD = 10_000  # devices that are known to be in the class no more

Why = tuple[str, str, int]  # of a ClassRefusal: what a device that is no more in the class is told
GIVEN_UP: Why = (
    "Your place was given to somebody else",
    "The class was full, and you had answered nothing. Type the code to join again.",
    401,
)
CLEARED: Why = (
    "Your place was cleared",
    "The teacher let go of all who had answered nothing. Type the code to join again.",
    401,
)
SENT_AWAY: Why = ("The teacher has removed you from the class", "This device cannot join it again.", 403)
RENAMED: Why = (
    "The teacher has removed you from the class",
    "Choose another nickname to join again.",
    401,
)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that is kept, and what it came to, which nobody is told before the reveal."""

    answer: Answer
    judged: Judged


@dataclass(slots=True, eq=False)
class Learner:
    """One learner; `number` is the place in the order of joining, from 0.

    `answers` are those on disk, by film; `coming` those that are being written. `heard` is when the device last asked
    (monotonic, s).
    """

    number: int
    nickname: str
    answers: dict[int, Given] = field(default_factory=dict)
    coming: dict[int, tuple[Answer, Future[None]]] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)

    def given(self, film: int) -> Answer | None:
        """The answer to a film, on disk or on its way there."""
        if film in self.answers:
            return self.answers[film].answer
        return self.coming[film][0] if film in self.coming else None

    @property
    def never_answered(self) -> bool:
        """Nothing is kept of this learner but the nickname."""
        return not self.answers and not self.coming


class Learners:
    """At most 200, of whom no two have nicknames that look the same. Not thread-safe."""

    def __init__(self) -> None:
        self._by_hash: dict[bytes, Learner] = {}
        self._by_nickname: dict[str, Learner] = {}
        self._gone: OrderedDict[bytes, Why] = OrderedDict()
        self._numbers = 0

    def __len__(self) -> int:
        return len(self._by_nickname)

    def __iter__(self) -> Iterator[Learner]:
        return iter(list(self._by_nickname.values()))  # as they are now: others may join meanwhile

    def __contains__(self, learner: Learner) -> bool:
        return self._by_nickname.get(alike(learner.nickname)) is learner

    def add(self, nickname: str) -> tuple[Learner, str]:
        """A new learner and the token by which its device is known. Raises ClassRefusal."""
        self.refuse_taken(nickname)
        if len(self) >= MOST_LEARNERS:
            raise ClassRefusal(
                "The class is full", f"A class has room for {MOST_LEARNERS} learners. Look on with somebody.", 403
            )
        learner, token = Learner(self._numbers, nickname), secrets.token_urlsafe(32)
        self._numbers += 1
        self._by_nickname[alike(nickname)] = self._by_hash[_hash(token)] = learner
        return learner, token

    def refuse_taken(self, nickname: str) -> None:
        """Raises ClassRefusal where somebody in the class is called so."""
        if alike(nickname) in self._by_nickname:
            raise ClassRefusal(
                f"{nickname} is taken", "Somebody in the class is called so. Choose another nickname.", 409
            )

    def silent(self) -> Learner | None:
        """In a full class, of those who never answered and were not heard of for a minute, the one silent longest."""
        if len(self) < MOST_LEARNERS:
            return None
        late = time.monotonic() - SILENT
        those = (each for each in self if each.never_answered and each.heard <= late)
        return min(those, key=lambda each: each.heard, default=None)

    def named(self, nickname: str) -> Learner:
        """The learner of this nickname. Raises ClassRefusal."""
        if (learner := self._by_nickname.get(alike(nickname))) is None:
            raise ClassRefusal("There is no such learner", "Choose one of those in the list.", 404)
        return learner

    def remove(self, learner: Learner, why: Why | None = None) -> None:
        """Let a learner go; the device is told why from now on. One of whom nothing could be kept is forgotten."""
        self._by_nickname.pop(alike(learner.nickname), None)
        for key in [key for key, each in self._by_hash.items() if each is learner]:
            del self._by_hash[key]
            if why is not None:
                self._gone[key] = why
        while len(self._gone) > MOST_TOLD:
            self._gone.popitem(last=False)

    def of(self, token: str) -> Learner | None:
        """The learner whose device sends this token. A hash is looked up, so that time says nothing about tokens.

        Raises ClassRefusal where the learner is no more in the class.
        """
        key = _hash(token)
        if (why := self._gone.get(key)) is not None:
            raise ClassRefusal(*why)
        return self._by_hash.get(key)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
