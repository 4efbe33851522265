"""A slice: the (film, finding) pairs that a visitor looks at, as data that translates into SQL and into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from explorer.cohorts.counted import CASES, Counted, case_words
from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.word_lists import and_list
from explorer.store.conditions import Condition, Whole
from explorer.store.filter_kinds import Filter, Values
from explorer.store.filter_registry import (
    FILTERS,
    LABELS_FROM,
    MARKED,
    OF_ANY_FILM,
    OF_FILMS,
    READ_AS,
    WHICH_FINDING,
    Filters,
)

_GROUPS = tuple(each for each in FILTERS if each.needed)
# Filters on a film as a whole that depend on the model's scores.
_OF_ITS_FILMS = tuple(each for each in FILTERS if each.key in ("with", "called", "lasso"))


@dataclass(frozen=True, slots=True)
class Slice(Filters):
    """Pairs of one cohort scored by one model, restricted by `Filters`. Findings without scores are left out."""

    cohort: str
    model: str

    def values(self) -> Values:
        """Return the filters' values by field."""
        return {each.name: getattr(self, each.name) for each in fields(Filters)}

    def without(self, *filters: Filter) -> Slice:
        """Return the slice without some of its filters."""
        plain = Slice(self.cohort, self.model)
        return replace(self, **{word.field: getattr(plain, word.field) for each in filters for word in each.words})

    def population(self) -> Slice:
        """Return the same films and findings regardless of scores: the population for rates."""
        return self.without(*(each for each in FILTERS if each.of_scores))

    def of(self, finding: str) -> Slice:
        """Return the pairs of one finding, whatever its group and task."""
        return replace(self, finding=finding, group=None, task=None)

    def every_finding(self) -> Slice:
        """Return the same films with every finding."""
        return self.without(*(each for each in FILTERS if each.of_findings))

    @property
    def picks_pairs(self) -> bool:
        """Whether any filter selects among the pairs of a film, apart from the choice of a finding."""
        return self.without(*_GROUPS, *OF_ANY_FILM, *_OF_ITS_FILMS, *WHICH_FINDING, *READ_AS) != self._bare

    @property
    def needs_model(self) -> bool:
        """Whether the selection of films depends on the model, beyond the set of films that it scored."""
        return self.without(*_GROUPS, *OF_ANY_FILM, *LABELS_FROM, *WHICH_FINDING) != self._bare

    def of_films(self) -> Slice:
        """Return the same films: the finding filters are dropped if every scored film has a pair that meets them."""
        return self if self.picks_pairs else self.without(*WHICH_FINDING)

    def whole_films(self) -> Slice:
        """Return the slice without filters that select among pairs of a film; the label source stays."""
        films = (*_GROUPS, *OF_ANY_FILM, *_OF_ITS_FILMS, *LABELS_FROM)
        return self.without(*(each for each in FILTERS if each not in films))

    @property
    def _bare(self) -> Slice:
        return Slice(self.cohort, self.model)


def conditions(chosen: Slice, findings: Sequence[str] = ()) -> Iterator[Condition]:
    """Yield the conditions on a pair of the slice; `findings` are those of its frequency group, if it has one."""
    if chosen.label_source is None:
        yield Whole()
    values = chosen.values()
    for each in FILTERS:
        yield from each.conditions(values, findings)


_WHATEVER_FINDING = (*OF_FILMS, *OF_ANY_FILM, *LABELS_FROM, *(each for each in FILTERS if each.key == "with"))
_PLURAL = {
    Outcome.MISS: "misses",
    Outcome.FALSE_ALARM: "false alarms",
    Outcome.HIT: "hits",
    Outcome.CORRECT_REJECTION: "correct rejections",
}


def sentence(chosen: Slice, unit: Unit = "score", counted: Counted = "film") -> str:
    """Describe the slice, as in `Misses of rare findings (groups of PadChest) by nih-mini in nih-oof, PA films`.

    `unit` is that of the model, `counted` what the cohort's cases are. There is no period, because the page appends
    counts.
    """
    outcomes = and_list([_PLURAL[outcome] for outcome in chosen.outcomes]) or f"{unit}s"
    center = "" if chosen.center is None else f" at {chosen.center}"
    start = f"{outcomes} of {_findings(chosen)}{center} by {chosen.model} in {public_name(chosen.cohort)}"
    return ", ".join([start[0].upper() + start[1:], *_clauses(chosen, unit, counted)])


def films_sentence(chosen: Slice, unit: Unit = "score", counted: Counted = "film") -> str:
    """Describe the slice's films: `Films of nih-oof, PA films`, or its sentence if findings also restrict it."""
    if chosen.without(*_WHATEVER_FINDING) != Slice(chosen.cohort, chosen.model, source=chosen.source):
        return sentence(chosen, unit, counted)
    center = "" if chosen.center is None else f" at {chosen.center}"
    return ", ".join([f"{CASES[counted]} of {public_name(chosen.cohort)}{center}", *_clauses(chosen, unit, counted)])


def _findings(chosen: Slice) -> str:
    if chosen.group is chosen.task is None:
        return chosen.finding or "all findings"
    if chosen.group is FrequencyGroup.NORMAL and chosen.finding in (None, "Normal") and chosen.task is None:
        return "Normal"
    those = f"{' '.join(filter(None, (chosen.group, chosen.task)))} findings"
    if chosen.group is not None:
        those += f" (groups of {GROUP_SOURCES[chosen.source].name})"
    return those if chosen.finding is None else f"{chosen.finding} among {those}"


def _clauses(chosen: Slice, unit: Unit, counted: Counted) -> Iterator[str]:
    """Yield the clauses of the filters, those on films first. Names of lists and tags stay as they are."""
    values = chosen.values()
    for each in (*OF_FILMS, *(each for each in FILTERS if each not in OF_FILMS)):
        if clause := each.clause(values, unit):
            yield clause if each is MARKED else case_words(clause, counted)
