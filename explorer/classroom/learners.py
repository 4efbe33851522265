"""Who is in a class: a nickname and a token each, of which only a hash is kept, in memory."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from explorer.classroom.nickname import alike
from explorer.classroom.refusal import ClassRefusal
from explorer.teaching.answer import Answer
from explorer.teaching.judged import Judged

MOST_LEARNERS = 200


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that is kept, and what it came to, which nobody is told before the reveal."""

    answer: Answer
    judged: Judged


@dataclass(slots=True, eq=False)
class Learner:
    """One learner; `number` is the place in the order of joining, from 0.

    `answers` are those on disk, by film; `coming` those that are being written.
    """

    number: int
    nickname: str
    answers: dict[int, Given] = field(default_factory=dict)
    coming: dict[int, tuple[Answer, Future[None]]] = field(default_factory=dict)

    def given(self, film: int) -> Answer | None:
        """The answer to a film, on disk or on its way there."""
        if film in self.answers:
            return self.answers[film].answer
        return self.coming[film][0] if film in self.coming else None


class Learners:
    """At most 200, of whom no two have nicknames that look the same. Not thread-safe."""

    def __init__(self) -> None:
        self._by_hash: dict[bytes, Learner] = {}
        self._by_nickname: dict[str, Learner] = {}
        self._numbers = 0

    def __len__(self) -> int:
        return len(self._by_nickname)

    def __iter__(self) -> Iterator[Learner]:
        return iter(list(self._by_nickname.values()))  # as they are now: others may join meanwhile

    def add(self, nickname: str) -> tuple[Learner, str]:
        """A new learner and the token by which its device is known. Raises ClassRefusal."""
        if len(self) >= MOST_LEARNERS:
            raise ClassRefusal(
                "The class is full", f"A class has room for {MOST_LEARNERS} learners. Look on with somebody.", 403
            )
        if alike(nickname) in self._by_nickname:
            raise ClassRefusal(
                f"{nickname} is taken", "Somebody in the class is called so. Choose another nickname.", 409
            )
        learner, token = Learner(self._numbers, nickname), secrets.token_urlsafe(32)
        self._numbers += 1
        self._by_nickname[alike(nickname)] = self._by_hash[_hash(token)] = learner
        return learner, token

    def remove(self, learner: Learner) -> None:
        """Forget a learner who could not be kept."""
        self._by_nickname.pop(alike(learner.nickname), None)
        self._by_hash = {key: each for key, each in self._by_hash.items() if each is not learner}

    def of(self, token: str) -> Learner | None:
        """The learner whose device sends this token. A hash is looked up, so that time says nothing about tokens."""
        return self._by_hash.get(_hash(token))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
