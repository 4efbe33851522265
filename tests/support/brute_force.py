"""Cohorts as plain rows, written to disk, and what a slice of them holds, found pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.film_map import FilmMap, MadeWith, save_map
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import Manifest, ModelManifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import APPEARANCES, CASES, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.core.findings import FINDINGS, FrequencyGroup, Outcome, frequency_group
from explorer.core.outcomes import OUTCOMES, outcomes
from explorer.core.worst_first import badness
from explorer.store.slices import Slice
from tests.support.bands_apart import band_of, size_of, third_of
from tests.support.usual_score import above_usual

NAME = "rows"
Row = Mapping[str, object]


@dataclass(frozen=True)
class Rows:
    """The rows of a cohort's files: cases, labels, by model its scores and operating points, and appearances."""

    cases: Sequence[Row]
    labels: Sequence[Row]
    scores: Mapping[str, Sequence[Row]]
    cuts: Mapping[str, Sequence[Row]]
    appearances: Sequence[Row] = ()
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # on the map of the first model
    default_source: str | None = None
    pairs: dict[tuple[str, str | None], list[Pair]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # as `pairs_of`

    @property
    def counted(self) -> list[Row]:
        """The labels that count where no source is asked for."""
        return [row for row in self.labels if self.default_source in (None, row["source"])]

    def write(self, place: Path, shards: int = 2) -> Folder:
        """As a cohort below `place`, the scores in several shards."""
        folder = Folder(place / NAME)
        write_table(folder.cases, pa.Table.from_pylist(list(self.cases), CASES))
        write_table(folder.labels, pa.Table.from_pylist(list(self.labels), LABEL_ROWS))
        if self.appearances:
            write_table(folder.appearances, pa.Table.from_pylist(list(self.appearances), APPEARANCES))
        for model, rows in self.scores.items():
            for shard in range(shards):
                table = pa.Table.from_pylist(list(rows[shard::shards]), PREDICTIONS)
                write_table(folder.predictions(model) / f"part-{shard:05d}.parquet", table)
            write_table(folder.operating_points(model), pa.Table.from_pylist(list(self.cuts[model]), OPERATING_POINTS))
            findings = tuple({str(row["finding"]): None for row in rows})
            if self.places and model == next(iter(self.scores)):
                save_map(folder, model, map_of(model, self.places))
            write_manifest(
                folder.model(model), ModelManifest(model, model, None, "none", "none", findings, {}, 0, 0, "made up")
            )
        about = Manifest(NAME, "rows", "made up", "1", len(self.cases), True, "unknown")
        write_manifest(folder.manifest, replace(about, default_source=self.default_source))
        return folder


def map_of(model: str, places: Mapping[str, tuple[int, int]], features: str | None = None) -> FilmMap:
    """A map of films that lie where it is said, of embeddings of this version, by default of none."""
    made = MadeWith(
        model, features or sha256().hexdigest()[:16], "by hand", "none", 0, "0", 1, 1, 0.5, 0.4, 0.6, 0.1, 0.1
    )
    x, y = (np.array([places[case][at] for case in sorted(places)], np.uint16) for at in (0, 1))
    return FilmMap(tuple(sorted(places)), x, y, made)


@dataclass(frozen=True)
class Pair:
    """A row of a slice: `whole` for all label sources together."""

    case: str
    finding: str
    score: float
    threshold: float | None
    label: str
    source: str | None
    whole: bool
    outcome: Outcome | None
    chosen: bool  # the threshold, for its finding
    badness: float
    film: Row

    @property
    def called(self) -> bool | None:
        return None if self.threshold is None else self.score >= self.threshold


def pairs_of(rows: Rows, model: str, uncertain: str | None = None) -> list[Pair]:
    """Every pair of the model, one for each label source besides where there are several; found once for these rows.

    An uncertain label is one of `uncertain`, if that is given.
    """
    if (model, uncertain) not in rows.pairs:
        rows.pairs[model, uncertain] = _pairs_of(rows, model, uncertain)
    return rows.pairs[model, uncertain]


def _pairs_of(rows: Rows, model: str, uncertain: str | None) -> list[Pair]:
    films = {row["case"]: row for row in rows.cases}
    found = []
    for row in rows.scores[model]:
        if row["case"] in films:
            film = films[row["case"]]
            threshold, chosen = _threshold(rows.cuts[model], row["finding"], film["split"])
            usual = None if chosen else _above_usual(rows, films, model, row)
            for label, source, whole in _labels(rows, row["case"], row["finding"]):
                read = uncertain if uncertain and label == "uncertain" else label
                found.append(_pair(film, row, threshold, usual, read, source, whole))
    return found


def chosen_pairs(rows: Rows, chosen: Slice) -> list[Pair]:
    """The pairs of a slice, the worst first."""
    other = {}
    if chosen.relation is not None:
        other = {
            (pair.case, pair.finding, pair.whole, pair.source): pair
            for pair in pairs_of(rows, str(chosen.against), chosen.uncertain)
        }
    found = [
        pair
        for pair in pairs_of(rows, chosen.model, chosen.uncertain)
        if _is_in(rows, chosen, pair, other.get((pair.case, pair.finding, pair.whole, pair.source)))
    ]
    return sorted(found, key=lambda pair: (-pair.badness, pair.case, pair.finding))


def group_of(rows: Rows, chosen: Slice, finding: str) -> FrequencyGroup | None:
    """The finding's frequency group by the slice's source."""
    if chosen.source != "cohort":
        known = frequency_group(finding, chosen.source) if finding in FINDINGS else None
        return known.group if known else None
    if finding == "Normal":
        return FrequencyGroup.NORMAL
    labels = [pair.label for pair in pairs_of(rows, chosen.model) if pair.whole and pair.finding == finding]
    present, known_labels = labels.count("present"), labels.count("present") + labels.count("absent")
    return FrequencyGroup.of(present / known_labels) if known_labels else None


def task_of(finding: str) -> str | None:
    """Whether it is seen or unseen in CXR-LT 2026; None of what is not in it."""
    task = FINDINGS[finding].task if finding in FINDINGS else None
    return None if task == "nih" else task


def many(rows: Rows, case: object) -> str:
    """How many findings, other than Normal and devices, the film's labels together say are present."""
    said: dict[str, set[str]] = {}
    for row in rows.counted:
        if row["case"] == case:
            said.setdefault(str(row["finding"]), set()).add(str(row["label"]))
    if not {"present", "absent"} & set().union(*said.values()):
        return "unknown"
    n = sum(_together(words) == "present" for name, words in said.items() if name not in ("Normal", "Support Devices"))
    return ("none", "1", "2-3", "2-3", "4+")[min(n, 4)]


def _threshold(cuts: Iterable[Row], finding: object, split: object) -> tuple[float | None, bool]:
    own = {cut["split"]: (cut["threshold"], cut["rule"] == "made up") for cut in cuts if cut["finding"] == finding}
    return own.get(split, own.get(None, (None, False)))


def _above_usual(rows: Rows, films: Mapping[object, Row], model: str, row: Row) -> float:
    same = [each for each in rows.scores[model] if each["finding"] == row["finding"] and each["case"] in films]
    labels = [_labels(rows, each["case"], row["finding"])[0][0] for each in same]
    return above_usual(row["score"], [each["score"] for each in same], labels)


def _labels(rows: Rows, case: object, finding: object) -> list[tuple[str, str | None, bool]]:
    counted = _said(rows.counted, case, finding)
    label, source = "unknown", None
    if counted:
        label, source = _together(set().union(*counted.values())), next(iter(counted)) if len(counted) == 1 else None
    others = _said(rows.labels, case, finding)
    others.pop(str(source), None)
    return [(label, source, True), *((_together(words), other, False) for other, words in others.items())]


def _said(labels: Iterable[Row], case: object, finding: object) -> dict[str, set[str]]:
    said: dict[str, set[str]] = {}
    for row in labels:
        if row["case"] == case and row["finding"] == finding:
            said.setdefault(str(row["source"]), set()).add(str(row["label"]))
    return said


def _together(words: set[str]) -> str:
    if {"present", "absent"} <= words:
        return "uncertain"
    return next(word for word in ("present", "absent", "uncertain", "unknown") if word in words)


def _pair(
    film: Row, row: Row, threshold: float | None, usual: float | None, label: str, source: str | None, whole: bool
) -> Pair:
    values = (
        np.array([{"present": 1.0, "absent": 0.0}.get(label, np.nan)]),
        np.array([row["score"]], np.float32),
        np.array([np.nan if threshold is None else threshold]),
    )
    place = int(outcomes(*values)[0])
    return Pair(
        case=str(row["case"]),
        finding=str(row["finding"]),
        score=float(values[1][0]),
        threshold=threshold,
        label=label,
        source=source,
        whole=whole,
        outcome=OUTCOMES[place] if place < len(OUTCOMES) else None,
        chosen=usual is None,
        badness=float(
            badness(*values, margins=False)[0] if usual is None else np.float32(-usual if label == "present" else usual)
        ),
        film=film,
    )


def _is_in(rows: Rows, chosen: Slice, pair: Pair, other: Pair | None) -> bool:
    film = pair.film
    return (
        (pair.whole if chosen.label_source is None else pair.source == chosen.label_source)
        and chosen.finding in (None, pair.finding)
        and chosen.group in (None, group_of(rows, chosen, pair.finding))
        and chosen.task in (None, task_of(pair.finding))
        and chosen.center in (None, film["center"])
        and (chosen.view in (None, film["view"]) or (chosen.view == "frontal" and film["view"] in ("PA", "AP")))
        and chosen.sex in (None, film["sex"])
        and chosen.age in (None, band_of(film["age"]))
        and chosen.split in (None, film["split"] or "no split stated")
        and chosen.findings in (None, many(rows, pair.case))
        and (chosen.marked is None or pair.case in chosen.marked.cases)
        and (not chosen.outcomes or pair.outcome in chosen.outcomes)
        and (chosen.low is None or pair.score >= chosen.low)
        and (chosen.high is None or pair.score < chosen.high)
        and all(wanted in (None, found) for wanted, found in _looks(rows, chosen, pair))
        and (chosen.lasso is None or _is_lassoed(chosen.lasso.corners, rows.places.get(pair.case)))
        and (chosen.called is None or _calls(rows, chosen, pair.case))
        and (chosen.also_present is None or _has(rows, chosen, pair.case))
        and (chosen.relation is None or (other is not None and _related(chosen.relation, pair, other)))
    )


def _looks(rows: Rows, chosen: Slice, pair: Pair) -> Iterator[tuple[object, object]]:
    """What is asked of the finding's appearance, and what it is."""
    here = (each for each in rows.appearances if (each["case"], each["finding"]) == (pair.case, pair.finding))
    look = next(here, {"severity": None, "side": None, "area": None})
    yield chosen.severity, third_of(look["severity"])
    yield chosen.side, look["side"]
    yield chosen.size, size_of(look["area"])


def _is_lassoed(corners: Sequence[tuple[int, int]], place: tuple[int, int] | None) -> bool:
    """Whether a ray to the right of the film meets an odd number of sides, in exact fractions."""
    if place is None:
        return False
    ends = [(16 * x + 8 - place[0], 16 * y + 8 - place[1]) for x, y in corners]
    crossings = 0
    for (ax, ay), (bx, by) in zip(ends, ends[1:] + ends[:1], strict=True):
        if (ay <= 0) != (by <= 0):  # the side meets the level of the film, at this much to its right
            crossings += ax + Fraction(-ay, by - ay) * (bx - ax) > 0
    return crossings % 2 == 1


def _calls(rows: Rows, chosen: Slice, case: str) -> bool:
    pairs = pairs_of(rows, chosen.model)
    return any(pair.called for pair in pairs if (pair.case, pair.finding) == (case, chosen.called))


def _has(rows: Rows, chosen: Slice, case: str) -> bool:
    pairs = (pair for pair in pairs_of(rows, chosen.model, chosen.uncertain) if pair.whole)
    return any(pair.label == "present" for pair in pairs if (pair.case, pair.finding) == (case, chosen.also_present))


def _related(relation: str, pair: Pair, other: Pair) -> bool:
    if relation == "disagree":
        return None not in (pair.called, other.called) and pair.called != other.called
    return {pair.outcome, other.outcome} <= {Outcome.MISS, Outcome.FALSE_ALARM}
