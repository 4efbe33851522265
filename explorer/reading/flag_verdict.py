"""The one verdict on a finding that a model flags, by how often such a flag was right on test films.

Headline, list, panel, report, presenting, the folder's table and Ask read it from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from explorer.core.figures import percent_rate_text, percent_text
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity

CountedVerdict = Literal["likely", "possible", "seldom correct", "too few films"]
FlagVerdict = Literal[CountedVerdict, "not known", "unreliable"]
ORDER: tuple[FlagVerdict, ...] = get_args(FlagVerdict)  # in a list
IN_HEADLINE: tuple[FlagVerdict, ...] = ("likely", "possible")
LIKELY = 0.5  # the lower end of the interval of how often such a flag is right
POSSIBLE = 0.2  # how often such a flag is right
POSSIBLE_LOW = 0.1  # the lower end of that: 2 of 10 is no evidence of 20 %
FEWEST = 10  # flagged test films; of fewer nobody can say how often a flag is right


@dataclass(frozen=True, slots=True)
class FlagRight:
    """How many test films like the flagged one had the finding, and of all labeled ones, None where unknown.

    `films` says which films are like it: those with the nearest scores or, where single scores are not known or few
    are flagged, all that are flagged.
    """

    rate: Rate
    films: Literal["with the nearest scores", "flagged"]
    of_all: Rate | None = None

    @property
    def words(self) -> str:
        """A sentence with the count, and with the share of all films for comparison."""
        those = quantity(self.rate.n, "flagged test film" if self.films == "flagged" else "test film")
        kind = f"{those} (at any score)" if self.films == "flagged" else f"the {those} {self.films}"
        if self.rate.n < FEWEST:
            return f"Too few films are flagged to say how often that is correct (n {self.rate.n})."
        every = f"; {percent_text(self.of_all.value)} of all films did" if self.of_all and self.of_all.value else ""
        return f"Of {kind}, {self.rate.hits} ({percent_rate_text(self.rate)}) had it{every}."


def flag_sentence(verdict: FlagVerdict, right: FlagRight | None) -> str:
    """The verdict and what it rests on: *Likely. Of the 30 test films with the nearest scores, 24 (...) had it.*"""
    if verdict == "too few films" and right is not None:
        return right.words
    first = "How often such a flag is correct is not known." if verdict == "not known" else f"{verdict.capitalize()}."
    return f"{first} {right.words}" if right is not None else first


def flag_verdict(right: FlagRight | None, *, unreliable: bool) -> FlagVerdict:
    """What is said of a flagged finding; `unreliable`: the model's card warns of its scores."""
    if unreliable:
        return "unreliable"
    if right is None:
        return "not known"
    return verdict_by(right.rate.n, right.rate.value or 0.0, (right.rate.interval or (0.0, 0.0))[0])


def verdict_by(films: int, share: float, low: float) -> CountedVerdict:
    """The verdict where `share` of so many flagged test films had the finding, `low` the lower end of its interval."""
    if films < FEWEST:
        return "too few films"
    if low >= LIKELY:
        return "likely"
    return "possible" if share >= POSSIBLE and low >= POSSIBLE_LOW else "seldom correct"


def counted_right(sensitivity: Rate, specificity: Rate) -> FlagRight:
    """How often flags were right on the films that a threshold's sensitivity and specificity were counted on."""
    flagged = sensitivity.hits + specificity.n - specificity.hits
    of_all = Rate(sensitivity.n, sensitivity.n + specificity.n)
    return FlagRight(Rate(sensitivity.hits, flagged), "flagged", of_all)
