"""Thresholds that the user chose on this machine for a model on a cohort, in place of the model's own.

Stored in one Parquet file with the columns of operating points and, in its metadata, the films they were chosen on. If
the scores, films or labels have changed since, the thresholds are no longer used, because they describe other data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from explorer.cohorts.counted import CASES, Counted, cases_text
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.listing import shards_in
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import OPERATING_POINTS
from explorer.cohorts.typed import typed
from explorer.core.threshold_rules import BY_FOLD, RULE_WORDS, RuleName
from explorer.core.word_lists import and_list
from models.cards.known_file import file_state, is_settled, sha256_of

BY_HAND = "by hand"
CACHE_SIZE = 64  # files
_METADATA, _CALIBRATION = b"tailscope", b"tailscope calibration"


@dataclass(frozen=True, slots=True)
class ChosenOn:
    """How thresholds were chosen. `rule` is None if all but those set by hand are the model's own.

    `where` selects the films as a command line does: BY_FOLD stands for the other folds, an empty text for all films.
    `version` is that of the scores, films and labels. `reasons` explains why some findings have no threshold. `films`
    are studies where `counted` says so.

    Thresholds may be carried: from films of the cohort `source` (empty: this one) to those that `to` selects, on which
    they are reported. `shared` patients are among both.
    """

    rule: RuleName | None
    where: str
    films: int
    patients: int
    date: str  # ISO 8601
    version: str
    positives: Mapping[str, int]
    reasons: Mapping[str, str]
    by_hand: tuple[str, ...] = ()
    source: str = ""
    carried: bool = False
    to: str = ""
    shared: int = 0
    counted: Counted = "film"

    @property
    def chosen_on(self) -> str:
        """The films in words: `center A`, `split val of clinic`, `all films of clinic`."""
        those = films_words(self.where, self.counted)
        return f"{those} of {self.source}" if self.source else those

    @property
    def films_text(self) -> str:
        """Their number: `1,100 films`, or `800 studies`."""
        return cases_text(self.films, self.counted)

    @property
    def words(self) -> str:
        """A description such as `Youden on center A (1,100 films), chosen here; Mass by hand`."""
        hand = f"{and_list(self.by_hand)} {BY_HAND}" if self.by_hand else ""
        if self.rule is None:
            return ", ".join(filter(None, (f"those of {self.source}" if self.source else "the model's own", hand)))
        chosen = f"{RULE_WORDS[self.rule]} on {self.chosen_on} ({self.films_text}), chosen here"
        return f"{chosen}; {hand}" if hand else chosen


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """A threshold of a finding: for the films of a split, or for all films if that is None."""

    finding: str
    split: str | None
    threshold: float
    rule: str


@dataclass(frozen=True, slots=True)
class ChosenThresholds:
    """Thresholds, and how they were chosen.

    `calibration`, of carried thresholds, is fitted on the same films: a JSON table, as `Calibration.to_dict` returns.
    """

    points: tuple[ThresholdPoint, ...]
    about: ChosenOn
    calibration: Mapping[str, Any] | None = field(default=None, hash=False)


def films_words(where: str, counted: Counted = "film") -> str:
    """Return the films in words: `all films` (or studies), `the other folds`, `center A, view AP`."""
    if where == BY_FOLD:
        return "the other folds"
    return where.replace("=", " ") or f"all {CASES[counted].lower()}"


def scores_version(folder: Folder, model: str) -> str:
    """Return a version that changes with the content of scores, films or labels. Raises OSError."""
    digest = hashlib.sha256()
    for path in (folder.cases, folder.labels, *shards_in(folder.predictions(model))):
        digest.update(f"{path.name} {sha256_of(path) if path.exists() else ''}\n".encode())
    return digest.hexdigest()[:16]


def save_thresholds(folder: Folder, model: str, chosen: ChosenThresholds | None) -> None:
    """Save the thresholds to use from now on; None: the model's own. Raises OSError."""
    target = folder.chosen_thresholds(model)
    if chosen is None:
        target.unlink(missing_ok=True)
        return
    table = pa.Table.from_pylist([asdict(point) for point in chosen.points], OPERATING_POINTS)
    metadata = {_METADATA: json.dumps(asdict(chosen.about), sort_keys=True).encode()}
    if chosen.calibration is not None:
        metadata[_CALIBRATION] = json.dumps(chosen.calibration, sort_keys=True).encode()
    write_table(target, table.replace_schema_metadata(metadata))


def thresholds_in_force(folder: Folder, model: str) -> ChosenThresholds | None:
    """Return the thresholds chosen here, if they are in use; None if the model's own are used."""
    return _current(folder, model)[0]


def why_not_used(folder: Folder, model: str) -> str | None:
    """Return a sentence on why thresholds chosen here are not used; None if there are none, or they are used."""
    return _current(folder, model)[1]


def points_file(folder: Folder, model: str) -> Path:
    """Return the file of the thresholds in force: those chosen here, or the model's own, which may not exist."""
    return (
        folder.operating_points(model)
        if thresholds_in_force(folder, model) is None
        else folder.chosen_thresholds(model)
    )


def with_thresholds(folder: Folder, manifest: ModelManifest) -> ModelManifest:
    """Return the manifest with the origin of the thresholds in force."""
    chosen = thresholds_in_force(folder, manifest.model)
    return manifest if chosen is None else replace(manifest, thresholds=chosen.about.words)


def all_with_thresholds(folder: Folder, manifests: Iterable[ModelManifest]) -> tuple[ModelManifest, ...]:
    """Apply `with_thresholds` to each, looking only for files that exist."""
    with_own = folder.with_chosen_thresholds()
    return tuple(with_thresholds(folder, each) if each.model in with_own else each for each in manifests)


def _current(folder: Folder, model: str) -> tuple[ChosenThresholds | None, str | None]:
    path = folder.chosen_thresholds(model)
    again = "The model's own are used. Choose them again, or return to the model's own."
    try:
        stat = path.stat()
        chosen = _cached(path, file_state(stat)) if is_settled(stat) else _read(path)
        if chosen.about.version == scores_version(folder, model):
            return chosen, None
    except FileNotFoundError:
        return None, None
    except (DamagedCohort, OSError):
        return None, f"The thresholds chosen here for {model} cannot be read. {again}"
    return None, (
        f"The thresholds chosen here for {model} on {chosen.about.date} were for other scores, films or labels. {again}"
    )


@lru_cache(maxsize=CACHE_SIZE)
def _cached(path: Path, _state: tuple[int, ...]) -> ChosenThresholds:
    return _read(path)


def _read(path: Path) -> ChosenThresholds:
    table = read_table(path)
    try:
        metadata = table.schema.metadata or {}
        about = typed(ChosenOn, json.loads(metadata.get(_METADATA, b"")))
        calibration = json.loads(metadata[_CALIBRATION]) if _CALIBRATION in metadata else None
        return ChosenThresholds(tuple(ThresholdPoint(**row) for row in table.to_pylist()), about, calibration)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedCohort(f"{path.name} has no valid description of its thresholds", "Choose them again.") from error


def with_hand(points: Sequence[ThresholdPoint], by_hand: Mapping[str, float]) -> tuple[ThresholdPoint, ...]:
    """Return the points, with the thresholds that the user set by hand."""
    kept = [point for point in points if point.finding not in by_hand]
    return (*kept, *(ThresholdPoint(finding, None, value, BY_HAND) for finding, value in by_hand.items()))
