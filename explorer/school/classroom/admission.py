"""How often a learner may ask, how often an address may send wrong codes and how many may join from one."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

from explorer.school.classroom.learners import Learner
from explorer.school.classroom.rate_limit import RateLimit
from explorer.school.classroom.refusal import ClassRefusal, too_fast
from explorer.school.classroom.session import Session

# A page asks a dozen times when it opens and when a film is revealed, and answers once a film.
ASKS = (60, 20)  # at once, a second
ANSWERS = (10, 1)
# A class behind one address mistypes now and then.
WRONG_CODES = (20, 0.2)
# A whole class may be behind one address and scan one code; nobody's script takes every place before anybody sees it.
JOINS = (60, 4)


class Admission:
    """The limits of all learners and of all addresses, in memory alone."""

    def __init__(self) -> None:
        self._asks = RateLimit(*ASKS)
        self._answers = RateLimit(*ANSWERS)
        self._wrong = RateLimit(*WRONG_CODES)
        self._joins = RateLimit(*JOINS)

    def ask(self, session: Session, learner: Learner) -> None:
        """One more request of a learner. Raises ClassRefusal."""
        if wait := self._asks.take((session.code, learner.number)):
            raise too_fast(wait)

    def answer(self, session: Session, learner: Learner) -> None:
        """One more answer of a learner. Raises ClassRefusal."""
        if wait := self._answers.take((session.code, learner.number)):
            raise too_fast(wait)

    def join(self, request: Request) -> None:
        """One more learner of this address who has the code. Raises ClassRefusal."""
        if wait := self._joins.take(_address(request)):
            raise ClassRefusal(
                "Many are joining from this network", f"Wait {max(1, round(wait))} s, then press Join again.", 429
            )

    def wrong(self, session: Session | None, request: Request) -> None:
        """It was not the code of this class. Raises ClassRefusal where too many of this address were not.

        The right code is never asked how many were wrong: a guesser would keep out all who share the address.
        """
        if wait := self._wrong.take((session.code if session else "", _address(request))):
            raise ClassRefusal(
                "Too many wrong codes came from this network", f"Wait {max(1, round(wait))} s, then type the code.", 429
            )


def _address(request: Request) -> str:
    """The address that asks; of IPv6 the network, since a device has as many addresses there as it likes."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return address.exploded[:19]  # 64 bits of it
    return host
