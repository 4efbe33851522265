"""Thresholds that somebody chose on this machine for a model's scores of a cohort, in place of the model's own.

They are one Parquet file, of the columns of operating points; what they were chosen on stands in its metadata. Where
the scores, films or labels are others by now, they are not used: they would be words about films that are not there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.listing import parts
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import OPERATING_POINTS
from explorer.cohorts.typed import typed
from explorer.core.threshold_rules import BY_FOLD, RULE_WORDS, RuleName
from explorer.core.word_lists import and_list, quantity
from models.cards.known_file import file_state, is_settled, sha256_of

BY_HAND = "by hand"
KEPT = 64  # sets that need not be read again while their files stay the same
_METADATA = b"tailscope"


@dataclass(frozen=True, slots=True)
class ChosenOn:
    """What thresholds were chosen on. `rule` is None where all but those by hand are the model's own.

    `where` names the films as a command line does, FOLD for the other folds; it is empty for all films. `version` is
    that of the scores, films and labels. `reasons` says of findings without a threshold why there is none.
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

    @property
    def words(self) -> str:
        """Such as `Youden on center A (1,100 films), chosen here; Mass by hand`."""
        hand = f"{and_list(self.by_hand)} {BY_HAND}" if self.by_hand else ""
        if self.rule is None:
            return f"the model's own, {hand}"
        chosen = f"{RULE_WORDS[self.rule]} on {films_words(self.where)} ({quantity(self.films, 'film')}), chosen here"
        return f"{chosen}; {hand}" if hand else chosen


@dataclass(frozen=True, slots=True)
class Point:
    """A threshold of a finding: on the films of a split, or on every film where that is None."""

    finding: str
    split: str | None
    threshold: float
    rule: str


@dataclass(frozen=True, slots=True)
class ChosenThresholds:
    """Thresholds, and what they were chosen on."""

    points: tuple[Point, ...]
    about: ChosenOn


def films_words(where: str) -> str:
    """The films in a sentence: `all films`, `the other folds`, `center A, view AP`."""
    if where == BY_FOLD:
        return "the other folds"
    return where.replace("=", " ") or "all films"


def scores_version(folder: Folder, model: str) -> str:
    """Another one whenever the scores, films or labels are others, whatever the files' times. Raises OSError."""
    digest = hashlib.sha256()
    for path in (folder.cases, folder.labels, *parts(folder.predictions(model))):
        digest.update(f"{path.name} {sha256_of(path) if path.exists() else ''}\n".encode())
    return digest.hexdigest()[:16]


def keep(folder: Folder, model: str, chosen: ChosenThresholds | None) -> None:
    """From now on these are the model's thresholds; None: its own. Raises OSError."""
    target = folder.chosen_thresholds(model)
    if chosen is None:
        target.unlink(missing_ok=True)
        return
    table = pa.Table.from_pylist([asdict(point) for point in chosen.points], OPERATING_POINTS)
    about = json.dumps(asdict(chosen.about), sort_keys=True).encode()
    write_table(target, table.replace_schema_metadata({_METADATA: about}))


def in_force(folder: Folder, model: str) -> ChosenThresholds | None:
    """The thresholds that were chosen here, where they are used; None where the model's own are."""
    return _looked(folder, model)[0]


def not_used(folder: Folder, model: str) -> str | None:
    """Why thresholds that were chosen here are not used, in a sentence; None where none were, or they are."""
    return _looked(folder, model)[1]


def points_file(folder: Folder, model: str) -> Path:
    """The file of the thresholds in force: those chosen here, or the model's own, which may have none."""
    return folder.operating_points(model) if in_force(folder, model) is None else folder.chosen_thresholds(model)


def described(folder: Folder, manifest: ModelManifest) -> ModelManifest:
    """The manifest, saying where the thresholds in force are from."""
    chosen = in_force(folder, manifest.model)
    return manifest if chosen is None else replace(manifest, thresholds=chosen.about.words)


def all_described(folder: Folder, manifests: Iterable[ModelManifest]) -> tuple[ModelManifest, ...]:
    """Each as `described`, looking only at thresholds that are there."""
    there = folder.with_chosen_thresholds()
    return tuple(described(folder, each) if each.model in there else each for each in manifests)


def _looked(folder: Folder, model: str) -> tuple[ChosenThresholds | None, str | None]:
    path = folder.chosen_thresholds(model)
    again = "The model's own are used. Choose them again, or go back to the model's own."
    try:
        stat = path.stat()
        chosen = _kept(path, file_state(stat)) if is_settled(stat) else _read(path)
        if chosen.about.version == scores_version(folder, model):
            return chosen, None
    except FileNotFoundError:
        return None, None
    except (DamagedCohort, OSError):
        return None, f"The thresholds chosen here for {model} cannot be read. {again}"
    return None, (
        f"The thresholds chosen here for {model} on {chosen.about.date} are of other scores, films or labels. {again}"
    )


@lru_cache(maxsize=KEPT)
def _kept(path: Path, _state: tuple[int, ...]) -> ChosenThresholds:
    return _read(path)


def _read(path: Path) -> ChosenThresholds:
    table = read_table(path)
    try:
        about = typed(ChosenOn, json.loads((table.schema.metadata or {}).get(_METADATA, b"")))
        return ChosenThresholds(tuple(Point(**row) for row in table.to_pylist()), about)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedCohort(f"{path.name} says nothing of its thresholds", "Choose them again.") from error


def with_hand(points: Sequence[Point], by_hand: Mapping[str, float]) -> tuple[Point, ...]:
    """The points, but for findings whose threshold somebody sets."""
    kept = [point for point in points if point.finding not in by_hand]
    return (*kept, *(Point(finding, None, value, BY_HAND) for finding, value in by_hand.items()))
