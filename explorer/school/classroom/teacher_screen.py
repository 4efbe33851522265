"""What the teacher's page shows of a class: no learner's answer is in it, only counts."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.school.judging.tally import TallyPayload

Stage = Literal["waiting", "open", "revealed", "ended"]


class LearnerPayload(TypedDict):
    """A learner, and how many films were answered."""

    nickname: str
    answered: int


class BoardPayload(TypedDict):
    """The class as the teacher sees it.

    `on`: Tailscope serves a class at all; `running`: one was begun and not ended. `addresses` are those for learners,
    the likeliest first; `qr` is an SVG of the first of them with the code in its fragment. `encrypted` and `warning`
    say what can be overheard or what a browser will warn of. `trouble` says what is wrong now and what to do; empty:
    nothing. `id` names the class on disk. `film` is the one shown, `answered` how many of `asked` answered it,
    `at_each_film` how many answered each. Until the reveal `tally` has nothing that others could copy. `removed` is how
    many were removed whose answers are kept, `lets_in` whether further learners may join, `full` that there is no room.
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
    stage: Stage
    learners: list[LearnerPayload]
    removed: int
    lets_in: bool
    full: bool
    answered: int
    asked: int
    tally: TallyPayload | None
    at_each_film: list[int]


def qr_svg(address: str, code: str) -> str:
    """The address of the class with its code, as an SVG that grows to its place."""
    import segno  # which nobody needs who holds no class

    svg: str = segno.make(f"{address}#{code}", error="m", micro=False).svg_inline(omitsize=True, border=4)
    return svg
