"""What tests of a served class share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.school.classroom import rate_limits
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.school.classroom.served_class import ServedClass, prepared, served_class


@pytest.fixture
def limited_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedClass]:
    """A class whose limits allow the usual bursts and hardly anything after them.

    A busy machine may ask more slowly than the usual limits refill. A device says in a header from which address it
    comes.
    """
    for name in ("ANSWER_LIMIT", "JOIN_LIMIT", "REQUEST_LIMIT", "WRONG_CODE_LIMIT"):
        at_once, _ = getattr(rate_limits, name)
        monkeypatch.setattr(rate_limits, name, (at_once, 0.001))
    monkeypatch.setattr(
        rate_limits, "sender_address", lambda request: request.headers.get("x-test-address", "192.168.0.1")
    )
    with served_class(tmp_path) as room:
        room.classroom.begin(prepared(*[FilmQuestion("findings")] * 15))
        room.classroom.go(14)
        yield room
        room.classroom.close()
