"""A slice: the (film, finding) pairs that a visitor looks at. It is data: it becomes SQL with values, and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.word_lists import and_list
from explorer.store.conditions import Condition, Whole
from explorer.store.filter_kinds import Filter, Values
from explorer.store.filter_registry import FILTERS, LABELS_FROM, OF_ANY_FILM, OF_FILMS, WHICH_FINDING, Filters

_GROUPS = tuple(each for each in FILTERS if each.needed)
# Of a film as a whole, by what the model scored of it.
_OF_ITS_FILMS = tuple(each for each in FILTERS if each.key in ("with", "called", "lasso"))


@dataclass(frozen=True, slots=True)
class Slice(Filters):
    """Pairs of one cohort that one model scored, restricted by `Filters`. A model's missing findings are left out."""

    cohort: str
    model: str

    def values(self) -> Values:
        """The filters' values by field."""
        return {each.name: getattr(self, each.name) for each in fields(Filters)}

    def without(self, *filters: Filter) -> Slice:
        """The slice without some of its filters."""
        plain = Slice(self.cohort, self.model)
        return replace(self, **{word.field: getattr(plain, word.field) for each in filters for word in each.words})

    def population(self) -> Slice:
        """The same films and findings whatever the model said of them: what rates are counted over."""
        return self.without(*(each for each in FILTERS if each.of_scores))

    def of(self, finding: str) -> Slice:
        """The pairs of this finding, whatever group and task it is of."""
        return replace(self, finding=finding, group=None, task=None)

    def every_finding(self) -> Slice:
        """The same films, whatever the finding."""
        return self.without(*(each for each in FILTERS if each.of_findings))

    @property
    def picks_pairs(self) -> bool:
        """Whether it has filters that some pairs of a film meet and others do not, whatever finding is asked for."""
        return self.without(*_GROUPS, *OF_ANY_FILM, *_OF_ITS_FILMS, *WHICH_FINDING) != self._bare

    @property
    def needs_model(self) -> bool:
        """Whether it depends on the model which films it has, among those that are scored."""
        return self.without(*_GROUPS, *OF_ANY_FILM, *LABELS_FROM, *WHICH_FINDING) != self._bare

    def of_films(self) -> Slice:
        """The same films: which finding is asked for is left out where every scored film has a pair of it."""
        return self if self.picks_pairs else self.without(*WHICH_FINDING)

    def whole_films(self) -> Slice:
        """Without the filters that some pairs of a film meet and others do not; whose labels count stays."""
        films = (*_GROUPS, *OF_ANY_FILM, *_OF_ITS_FILMS, *LABELS_FROM)
        return self.without(*(each for each in FILTERS if each not in films))

    @property
    def _bare(self) -> Slice:
        return Slice(self.cohort, self.model)


def conditions(chosen: Slice, findings: Sequence[str] = ()) -> Iterator[Condition]:
    """What a pair of the slice must meet; `findings` are those of the slice's frequency group, if it has one."""
    if chosen.label_source is None:
        yield Whole()
    values = chosen.values()
    for each in FILTERS:
        yield from each.conditions(values, findings)


def film_conditions(chosen: Slice) -> Iterator[Condition]:
    """Those of them that are on films alone."""
    for each in OF_FILMS:
        yield from each.conditions(chosen.values(), ())


_WHATEVER_FINDING = (*OF_FILMS, *OF_ANY_FILM, *LABELS_FROM, *(each for each in FILTERS if each.key == "with"))
_PLURAL = {
    Outcome.MISS: "misses",
    Outcome.FALSE_ALARM: "false alarms",
    Outcome.HIT: "hits",
    Outcome.CORRECT_REJECTION: "correct rejections",
}


def sentence(chosen: Slice, unit: Unit = "score") -> str:
    """The slice in words, such as `Misses of rare findings (groups of PadChest) by nih-mini in nih-oof, PA films`.

    `unit` is what the model says. No full stop: the page goes on with the counts.
    """
    outcomes = and_list([_PLURAL[outcome] for outcome in chosen.outcomes]) or f"{unit}s"
    center = "" if chosen.center is None else f" at {chosen.center}"
    start = f"{outcomes} of {_findings(chosen)}{center} by {chosen.model} in {public_name(chosen.cohort)}"
    return ", ".join([start[0].upper() + start[1:], *_clauses(chosen, unit)])


def films_sentence(chosen: Slice, unit: Unit = "score") -> str:
    """The slice in words where its films are meant: `Films of nih-oof, PA films`, unless findings restrict it too."""
    if chosen.without(*_WHATEVER_FINDING) != Slice(chosen.cohort, chosen.model, source=chosen.source):
        return sentence(chosen, unit)
    center = "" if chosen.center is None else f" at {chosen.center}"
    return ", ".join([f"Films of {public_name(chosen.cohort)}{center}", *_clauses(chosen, unit)])


def _findings(chosen: Slice) -> str:
    if chosen.group is chosen.task is None:
        return chosen.finding or "all findings"
    if chosen.group is FrequencyGroup.NORMAL and chosen.finding in (None, "Normal") and chosen.task is None:
        return "Normal"
    those = f"{' '.join(filter(None, (chosen.group, chosen.task)))} findings"
    if chosen.group is not None:
        those += f" (groups of {GROUP_SOURCES[chosen.source].name})"
    return those if chosen.finding is None else f"{chosen.finding} among {those}"


def _clauses(chosen: Slice, unit: Unit) -> Iterator[str]:
    """What the filters add, those of films first."""
    values = chosen.values()
    for each in (*OF_FILMS, *(each for each in FILTERS if each not in OF_FILMS)):
        if clause := each.clause(values, unit):
            yield clause
