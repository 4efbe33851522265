"""The sentences above a robustness table: what costs most, whether the tail is lost first, and what mirroring does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.robustness.flips import group_gap
from explorer.analysis.robustness.report import LevelResult, MirroredFlips, Robustness
from explorer.core.figures import Estimate, difference_text, estimate_text, percent_rate_text
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity
from models.perturbations.film import Level

NO_CALLS = "no calls"
TAIL_ORDER = (FrequencyGroup.VERY_RARE, FrequencyGroup.RARE, FrequencyGroup.MEDIUM, FrequencyGroup.COMMON)


@dataclass(frozen=True, slots=True)
class TailFlips:
    """Hits lost at the weakest strengths: of the rarest and of the most frequent group, and the difference."""

    rare: BoardPart
    rare_rate: Rate
    common: BoardPart
    common_rate: Rate
    difference: Estimate


def level_words(level: Level) -> str:
    """Return a level's name for people, such as "Rotated, strength 3"."""
    if not level.strength:
        return level.kind.title
    scale = "strength" if level.scale == "matched" else "MedMNIST-C severity"
    return f"{level.kind.title}, {scale} {level.strength}"


def summary(found: Robustness) -> Iterator[str]:
    """Yield the costliest level with a strength, the costliest kind without one, and whether the tail is lost first."""
    dialed = [each for each in found.results if each.level.strength]
    switched = [each for each in found.results if not each.level.strength]
    if dialed:
        yield _costliest(found, dialed, f"Of {quantity(len(dialed), 'level')} with a strength")
    if switched:
        yield _costliest(found, switched, f"Of {quantity(len(switched), 'kind')} without a strength")
    tail = tail_flips(found)
    if tail is not None:
        yield _tail_words(tail)
    if found.mirrored is not None:
        yield _mirrored_words(found.mirrored)


def flip_text(rate: Rate) -> str:
    """Return a rate of flips with its interval and n."""
    return f"{percent_rate_text(rate)}, n = {rate.n:,}" if rate.n else NO_CALLS


def costliest(results: Sequence[LevelResult]) -> LevelResult:
    """Return the level that lowers mean AP most."""
    return min(results, key=lambda each: each.changes.at(0, "AP").value)


def _costliest(found: Robustness, results: Sequence[LevelResult], start: str) -> str:
    worst = costliest(results)
    change, before = worst.changes.at(0, "AP"), found.unchanged.at(0, "AP")
    if not change.value < 0:
        return f"{start}, none lowers mean AP."
    doubt = " This may be chance." if not change.high < 0 and change.high == change.high else ""
    figures = f"{difference_text(change.value, change.low, change.high)}, from {estimate_text(before)}"
    name, strength = worst.level.kind.title, worst.level.strength
    level = f"{name} at strength {strength}" if strength else name
    return f"{start}, {level} costs most: mean AP {figures}.{doubt}"


def tail_flips(found: Robustness) -> TailFlips | None:
    """Return the lost hits of the rarest and the most frequent group; None without two groups that have hits."""
    by_name = {part.name: part for part in found.parts[1:]}
    groups = [by_name[name] for name in TAIL_ORDER if name in by_name]
    kind = str(Outcome.HIT)
    rates = found.before.rates(found.weakest.counts, found.weakest.levels, kind, [part.members for part in groups])
    known = [place for place in range(len(groups)) if rates.films[place].sum()]
    if len(known) < 2:
        return None
    rare, common = groups[known[0]], groups[known[-1]]
    gap = group_gap(found.before, found.weakest, kind, rare.members, common.members)
    return TailFlips(
        rare,
        rates.rate(known[0]),
        common,
        rates.rate(known[-1]),
        Estimate(float(gap.value[0]), float(gap.low[0]), float(gap.high[0])),
    )


def _tail_words(tail: TailFlips) -> str:
    rare, common = (
        f"{_rate_words(rate)} of hits on {part.name} findings"
        for part, rate in ((tail.rare, tail.rare_rate), (tail.common, tail.common_rate))
    )
    if tail.difference.low > 0:
        verdict = "The tail is lost first"
    elif tail.difference.high < 0:
        verdict = "The tail is not lost first"
    else:
        verdict = "No clear difference between tail and head"
    return f"{verdict}: the weakest strengths lose {rare}, and {common}."


def _mirrored_words(mirrored: MirroredFlips) -> str:
    sided, others, rejections = map(_rate_words, (mirrored.sided, mirrored.other_hits, mirrored.rejections))
    normal = (
        f" {_rate_words(mirrored.normal)} of normal films are no longer called normal." if mirrored.normal.n else ""
    )
    unplaced = (
        f" The place of some findings is not stated: {_rate_words(mirrored.unplaced)} of their hits are lost."
        if mirrored.unplaced.n
        else ""
    )
    return (
        f"Mirrored films lose {sided} of hits on findings of one side. These move to the other side, so a loss may be "
        f"justified. They also lose {others} of other hits and {rejections} of correct rejections, which should not "
        f"flip.{normal}{unplaced}"
    )


def _rate_words(rate: Rate) -> str:
    """Return a rate of flips for a sentence."""
    return f"{percent_rate_text(rate)} (n {rate.n:,})" if rate.n else NO_CALLS
