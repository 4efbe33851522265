"""The teacher's view of a class: only counts, no individual learner's answers."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.school.judging.tally import RightPayload, TallyPayload

SessionStage = Literal["waiting", "open", "revealed", "ended"]


class LearnerPayload(TypedDict):
    """A learner, and how many films they have answered."""

    nickname: str
    answered: int


class BoardPayload(TypedDict):
    """The class as the teacher sees it.

    `on`: Tailscope was started with a class server; `running`: a class has begun and has not ended. `addresses` are
    those for learners, the likeliest first; `qr` is an SVG of the first one with the code in its fragment. `encrypted`
    and `warning` are about eavesdropping and browser warnings. `trouble` says what is wrong now and what to do; empty
    if nothing is. `id` names the class on disk. `film` is the current film; `answered` of `asked` learners answered it,
    `again` of them a second time, after seeing a model (null: the film has no second answer), `again_right` counts
    these once revealed, and `at_each_film` counts the answers to each film. Until the reveal, `tally` shows nothing
    worth copying. `removed` counts removed learners whose answers are kept, `lets_in`: more learners may join, `full`:
    there is no room.
    """

    on: bool
    running: bool
    id: str
    code: str
    addresses: list[str]
    qr: str
    encrypted: bool
    warning: str
    trouble: str
    title: str
    about: str
    own_pace: bool
    film: int
    films: int
    stage: SessionStage
    learners: list[LearnerPayload]
    removed: int
    lets_in: bool
    full: bool
    answered: int
    again: int | None
    again_right: RightPayload | None
    asked: int
    tally: TallyPayload | None
    at_each_film: list[int]


def qr_svg(address: str, code: str) -> str:
    """Return a QR code of the class's address with its code, as an SVG that scales with its container."""
    import segno  # imported only when a class is held

    svg: str = segno.make(f"{address}#{code}", error="m", micro=False).svg_inline(omitsize=True, border=4)
    return svg
