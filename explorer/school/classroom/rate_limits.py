"""Rate limits: requests per learner, wrong codes per address, joins per address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

from explorer.school.classroom.learners import Learner
from explorer.school.classroom.refusal import ClassRefusal, too_fast
from explorer.school.classroom.session import Session


class RateLimit:
    """`at_once` requests per key, then `a_second`. Only the `most` recent keys are remembered.

    Not thread-safe: it belongs to one event loop.
    """

    def __init__(
        self, at_once: float, a_second: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._most = most
        self._clock = clock
        self._left: OrderedDict[object, tuple[float, float]] = OrderedDict()  # tokens left, and when counted

    def wait(self, key: object) -> float:
        """Return seconds until the next request is allowed; 0 if it is allowed now."""
        return max(0.0, (1 - self._tokens(key)) / self._a_second)

    def take(self, key: object) -> float:
        """Like `wait`, but take a token if the wait is 0."""
        if not (wait := self.wait(key)):
            self._left[key] = self._tokens(key) - 1, self._clock()
            self._left.move_to_end(key)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
        return wait

    def _tokens(self, key: object) -> float:
        left, counted = self._left.get(key, (self._at_once, self._clock()))
        return min(self._at_once, left + (self._clock() - counted) * self._a_second)


# A page sends a dozen requests when it opens or reveals a film, and one answer per film.
REQUEST_LIMIT = (60, 20)  # burst, requests per second
ANSWER_LIMIT = (10, 1)
# The members of a class behind one address mistype the code now and then.
WRONG_CODE_LIMIT = (20, 0.2)
# A whole class behind one address may scan the code at once, yet a script cannot take every place unnoticed.
JOIN_LIMIT = (60, 4)


class Admission:
    """All limits of learners and addresses, kept in memory."""

    def __init__(self) -> None:
        self._asks = RateLimit(*REQUEST_LIMIT)
        self._answers = RateLimit(*ANSWER_LIMIT)
        self._wrong = RateLimit(*WRONG_CODE_LIMIT)
        self._joins = RateLimit(*JOIN_LIMIT)

    def ask(self, session: Session, learner: Learner) -> None:
        """Count one more request by a learner. Raises ClassRefusal."""
        if wait := self._asks.take((session.code, learner.number)):
            raise too_fast(wait)

    def answer(self, session: Session, learner: Learner) -> None:
        """Count one more answer by a learner. Raises ClassRefusal."""
        if wait := self._answers.take((session.code, learner.number)):
            raise too_fast(wait)

    def join(self, request: Request) -> None:
        """Count one more join from this address with the right code. Raises ClassRefusal."""
        if wait := self._joins.take(sender_address(request)):
            raise ClassRefusal(
                "Many are joining from this network", f"Wait {max(1, round(wait))} s, then press Join again.", 429
            )

    def wrong(self, session: Session | None, request: Request) -> None:
        """Count one wrong code from this address. Raises ClassRefusal if there were too many.

        The right code is never limited; otherwise, a guesser could lock out everyone who shares the address.
        """
        if wait := self._wrong.take((session.code if session else "", sender_address(request))):
            raise ClassRefusal(
                "Too many wrong codes came from this network", f"Wait {max(1, round(wait))} s, then type the code.", 429
            )


def sender_address(request: Request) -> str:
    """Return the sender's address; for IPv6, its network, because a device can use any number of addresses there."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return address.exploded[:19]  # the first 64 bits
    return host
