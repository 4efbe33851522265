"""The verdict on a flagged finding, by how often such a flag was correct on test films.

Headline, list, panel, report, presentation, folder table and Ask all use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from explorer.core.figures import percent_rate_text, percent_text
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity

CountedVerdict = Literal["likely", "possible", "seldom correct", "too few films"]
FlagVerdict = Literal[CountedVerdict, "not known", "unreliable"]
VERDICT_ORDER: tuple[FlagVerdict, ...] = get_args(FlagVerdict)  # strongest first
HEADLINE_VERDICTS: tuple[FlagVerdict, ...] = ("likely", "possible")
LIKELY_LOW = 0.5  # lower bound of the share of such flags that are correct
POSSIBLE_SHARE = 0.2  # share of such flags that are correct
POSSIBLE_LOW = 0.1  # lower bound of that share, because 2 of 10 is only weak evidence of 20 %
MIN_FLAGGED_FILMS = 10  # fewest flagged test films that support a verdict


@dataclass(frozen=True, slots=True)
class FlagRight:
    """How many test films like the flagged one had the finding, and how many of all labeled films (None if unknown).

    `films` says which films are meant: those with the nearest scores or, if scores are unavailable or few films are
    flagged, all flagged ones.
    """

    rate: Rate
    films: Literal["with the nearest scores", "flagged"]
    of_all: Rate | None = None

    @property
    def words(self) -> str:
        """A sentence with the count and, for comparison, the finding's share of all films."""
        those = quantity(self.rate.n, "flagged test film" if self.films == "flagged" else "test film")
        kind = f"{those} (at any score)" if self.films == "flagged" else f"the {those} {self.films}"
        if self.rate.n < MIN_FLAGGED_FILMS:
            return f"Too few films are flagged to say how often that is correct (n {self.rate.n})."
        every = f"; {percent_text(self.of_all.value)} of all films did" if self.of_all and self.of_all.value else ""
        return f"Of {kind}, {self.rate.hits} ({percent_rate_text(self.rate)}) had it{every}."


def flag_sentence(verdict: FlagVerdict, right: FlagRight | None) -> str:
    """The verdict and its basis: *Likely. Of the 30 test films with the nearest scores, 24 (...) had it.*"""
    if verdict == "too few films" and right is not None:
        return right.words
    first = "How often such a flag is correct is not known." if verdict == "not known" else f"{verdict.capitalize()}."
    return f"{first} {right.words}" if right is not None else first


def flag_verdict(right: FlagRight | None, *, unreliable: bool) -> FlagVerdict:
    """Return the verdict on a flagged finding; `unreliable`: the model's card warns about the finding's scores."""
    if unreliable:
        return "unreliable"
    if right is None:
        return "not known"
    return verdict_by(right.rate.n, right.rate.value or 0.0, (right.rate.interval or (0.0, 0.0))[0])


def verdict_by(films: int, share: float, low: float) -> CountedVerdict:
    """Return the verdict if `share` of `films` test films had the finding, with lower bound `low`."""
    if films < MIN_FLAGGED_FILMS:
        return "too few films"
    if low >= LIKELY_LOW:
        return "likely"
    return "possible" if share >= POSSIBLE_SHARE and low >= POSSIBLE_LOW else "seldom correct"


def flag_right_by_rates(sensitivity: Rate, specificity: Rate) -> FlagRight:
    """Return how often flags were correct on the films behind a threshold's sensitivity and specificity."""
    flagged = sensitivity.hits + specificity.n - specificity.hits
    of_all = Rate(sensitivity.n, sensitivity.n + specificity.n)
    return FlagRight(Rate(sensitivity.hits, flagged), "flagged", of_all)
