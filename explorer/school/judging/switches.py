"""What seeing a model's answer changed: switches to right and to wrong, by whether the model was right, by certainty.

A decision is one learner's call about one finding on one film, before and after. Of a list of findings, those count
that are present, that the learner named before or after, or that the model flags.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.core.figures import percent_rate_text
from explorer.core.rates import Rate
from explorer.core.text_grid import TextGrid
from explorer.school.judging.answer import CERTAINTY_WORDS, Certainty
from explorer.school.judging.results import FilmRate

ALL = "all"


@dataclass(frozen=True, slots=True)
class Decision:
    """A call before and after seeing the model's, which was `model`; `sure` is the certainty before."""

    film: int
    sure: Certainty
    present: bool
    before: bool
    after: bool
    model: bool

    @property
    def was_right(self) -> bool:
        """Whether the call before was right."""
        return self.before == self.present

    @property
    def is_right(self) -> bool:
        """Whether the call after is right."""
        return self.after == self.present

    @property
    def model_right(self) -> bool:
        """Whether the model was right."""
        return self.model == self.present


@dataclass(frozen=True, slots=True)
class Switches:
    """Counts of some decisions: right before and after, and switches; each is of the decisions that could switch."""

    name: str
    before: FilmRate
    after: FilmRate
    to_right: FilmRate
    to_wrong: FilmRate


def count_switches(name: str, decisions: Sequence[Decision]) -> Switches:
    """Count the switches of some decisions."""
    wrong = [each for each in decisions if not each.was_right]
    right = [each for each in decisions if each.was_right]
    return Switches(
        name,
        _rate(decisions, lambda each: each.was_right),
        _rate(decisions, lambda each: each.is_right),
        _rate(wrong, lambda each: each.is_right),
        _rate(right, lambda each: not each.is_right),
    )


def _rate(decisions: Sequence[Decision], hit: Callable[[Decision], bool]) -> FilmRate:
    return FilmRate(sum(map(hit, decisions)), len(decisions), len({each.film for each in decisions}))


def switch_rows(decisions: Sequence[Decision]) -> tuple[Switches, ...]:
    """Return the counts of all decisions, by whether the model was right, and by certainty before; empty ones too."""
    return (
        count_switches(ALL, decisions),
        count_switches("model right", [each for each in decisions if each.model_right]),
        count_switches("model wrong", [each for each in decisions if not each.model_right]),
        *(
            count_switches(f"{words} before", [each for each in decisions if each.sure == sure])
            for sure, words in CERTAINTY_WORDS.items()
        ),
    )


SWITCH_HEADER = ("decisions", "right before", "right after", "wrong to right", "right to wrong")
SWITCH_NOTE = (
    "Wrong to right: of the decisions that were wrong before. Right to wrong: of those that were right. 95 % intervals "
    "count all answers on a film as one."
)


def switch_grid(decisions: Sequence[Decision]) -> TextGrid:
    """Return the counts as a table of texts."""
    rows = tuple(
        (each.name, *map(rate_words, (each.before, each.after, each.to_right, each.to_wrong)))
        for each in switch_rows(decisions)
    )
    return TextGrid("What seeing the model changed", SWITCH_HEADER, rows, notes=(SWITCH_NOTE,))


def rate_words(rate: FilmRate) -> str:
    """Return a count with its rate and interval: `14 of 24, 58 % [39\N{EN DASH}76]`."""
    counted = f"{rate.hits:,} of {rate.n:,}"
    return f"{counted}, {percent_rate_text(Rate(rate.hits, rate.n, rate.films))}" if rate.n else counted
