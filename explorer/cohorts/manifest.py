"""Manifests of cohorts and of their predictions: JSON files beside the Parquet files.

A manifest lists its files with rows and hashes, and ends with a hash of itself. Manifests of format 1 have neither:
they are accepted, and their files are not checked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from explorer.cohorts.layout import NoCohort
from explorer.cohorts.schema import Unit
from explorer.cohorts.typed import typed
from explorer.core.finding_relations import FindingRelation
from explorer.core.in_sample import Origins
from models.cards.card import StudyRule
from models.cards.known_file import file_state, is_settled
from models.whole_file import atomic_write

FORMAT, UNLISTED = 2, 1  # current format, and the one without a list of files
CHECKSUM = "checksum"
COMING = "still to be read"  # key in `counts`: files still to come while a folder is being read
CACHE_SIZE = 256  # manifests
MaskSource = Literal["none", "simulator"]
AnyManifest = TypeVar("AnyManifest", "Manifest", "ModelManifest")


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts that identify a file's content."""

    rows: int
    sha256: str


Files = Mapping[str, FileFacts]  # by path below the folder of the manifest (for a model: below the folder of `models`)


@dataclass(frozen=True, slots=True)
class StudiesOf:
    """What a study cohort was made from: the `version` of the `films` of a cohort, and of the scores of its models.

    `rule` says how the scores of a study's films become one. `several` studies have more than one film.
    """

    cohort: str
    version: str
    rule: StudyRule
    films: int
    several: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """A cohort. `version` changes with its cases or labels; `blank` says what a missing label means in its source.

    `masks`: the source of its findings' masks. `files` are cases, labels, boxes, appearances and reports; None: never
    listed, so not checked. `relations` relate its findings to others, as its maker states. `studies`: its cases are the
    studies of another cohort, see `explorer.analysis.studies`.
    """

    name: str
    title: str
    source: str
    version: str
    cases: int
    labelled: bool  # False: no labels at all, so only score shift can be computed
    blank: str
    simulated: bool = False
    masks: MaskSource = "none"
    roots: tuple[str, ...] = ()  # names of the image folders that contain its files
    default_source: str | None = None  # source whose labels count by default; None: all sources combined
    counts: dict[str, int] = field(default_factory=dict)  # from the import: accepted, and rejected by reason
    files: Files | None = None
    relations: tuple[FindingRelation, ...] = ()
    studies: StudiesOf | None = None
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Training:
    """How a model of the lab was trained: what its recipe `changes` relative to `baseline`, the method's source, the
    `team` that used it ("" for none), the number of films, and the cost. `system` is set if the recipe stands for a
    team's whole system.

    `core_minutes` and `milliseconds` (per film) are for a single processor core.
    """

    recipe: str
    baseline: str
    seed: int
    changes: str
    source: str
    team: str
    films: int
    core_minutes: float
    parameters: int
    milliseconds: float
    system: str = ""


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """The origin of a model's predictions for a cohort.

    `sha256` is that of the weights, None if unknown (imported scores). `split` describes how these films relate to the
    training films; `origins` does so in one word per center. `findings` are those with a score. For an image-text
    model, predictions are margins (cosines on either side of 0): `scale` is its logit scale, and sigmoid(scale *
    margin) its score; scores have no scale. Only the lab's models have `training`. `files` are the shards and the
    operating points; None: never listed, so not checked. `relations` relate its findings to others, as its card states.
    """

    model: str
    title: str
    sha256: str | None
    preprocessing: str
    split: str
    findings: tuple[str, ...]
    origins: Origins = field(hash=False)
    scored: int
    failed: int
    thresholds: str  # origin of the operating points
    unit: Unit = "score"
    scale: float | None = None
    training: Training | None = None
    files: Files | None = field(default=None, hash=False)
    relations: tuple[FindingRelation, ...] = ()
    format: int = FORMAT

    @property
    def out_of_fold(self) -> bool:
        """Whether each score is from a fold's model that saw no film of the patient; the final model saw them all."""
        return self.split.startswith("out of fold")


def write_manifest(path: Path, manifest: Manifest | ModelManifest) -> None:
    """Write a manifest as JSON with its checksum, atomically."""
    table = asdict(manifest)
    for rare in ("relations", "studies"):
        if not table.get(rare, True):
            del table[rare]  # rarely set, and unknown to older versions
    if not (table.get("training") or {}).get("system", True):
        del table["training"]["system"]
    with atomic_write(path) as partial:
        partial.write_text(_text(table | {CHECKSUM: _checksum(table)}), encoding="utf-8")


def read_manifest(path: Path) -> Manifest:
    """Return a cohort's manifest; raises NoCohort."""
    stat = _stat(path)
    return _cached_cohort(path, file_state(stat)) if is_settled(stat) else _parsed(path, Manifest)


def read_model_manifest(path: Path) -> ModelManifest:
    """Return the manifest of a model's predictions; raises NoCohort, also if it belongs to another model."""
    stat = _stat(path)
    manifest = _cached_model(path, file_state(stat)) if is_settled(stat) else _parsed(path, ModelManifest)
    if manifest.model != path.stem:
        raise misplaced_manifest(path, manifest.model)
    return manifest


# Cached per file state, because manifests are requested often and lists of shards are long.
@lru_cache(maxsize=CACHE_SIZE)
def _cached_cohort(path: Path, _state: tuple[int, ...]) -> Manifest:
    return _parsed(path, Manifest)


@lru_cache(maxsize=CACHE_SIZE)
def _cached_model(path: Path, _state: tuple[int, ...]) -> ModelManifest:
    return _parsed(path, ModelManifest)


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise _unreadable(path, error) from error


def misplaced_manifest(path: Path, name: str) -> NoCohort:
    """Return the refusal for a manifest that is in the wrong folder or has the wrong name."""
    return NoCohort(f"{manifest_name(path)} is about {name}", "Restore the original name of the file or folder.")


def manifest_name(path: Path) -> str:
    """Return a manifest's name for a sentence."""
    if path.parent.name == "models":
        return f"models/{path.name} of {path.parent.parent.name}"
    return f"{path.name} of {path.parent.name}"


def _parsed(path: Path, kind: type[AnyManifest]) -> AnyManifest:
    table = _table(path)
    given = table.pop(CHECKSUM, None)
    if table["format"] == UNLISTED and given is None:
        table["format"] = FORMAT
    elif given != _checksum(table):
        raise NoCohort(
            f"{manifest_name(path)} is not a manifest, or is damaged",
            f"Its checksum does not match its content. Put back a copy, or {_AGAIN}.",
        )
    if kind is ModelManifest and "in_sample" in table:
        table["origins"] = _origins(table.pop("in_sample"))
    try:
        return typed(kind, table)
    except ValueError as error:
        raise NoCohort(
            f"{manifest_name(path)} is not a manifest", f"In it {error}. Put back a copy, or {_AGAIN}."
        ) from error


def _origins(in_sample: object) -> object:
    """Convert the older list of training centers, which does not say which films were used."""
    return dict.fromkeys(in_sample, "possibly in-sample") if isinstance(in_sample, list) else in_sample


def _table(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    known = isinstance(table, dict) and type(table.get("format")) is int and table["format"] in (UNLISTED, FORMAT)
    if not known:
        raise NoCohort(
            f"{manifest_name(path)} was made by another version of Tailscope", "Import or score it again with this one."
        )
    return dict(table)


_AGAIN = "import or score the cohort again"


def _unreadable(path: Path, error: Exception) -> NoCohort:
    why = error.strerror if isinstance(error, OSError) else error  # strerror omits the path on this machine
    return NoCohort(f"{manifest_name(path)} cannot be read", f"{why}. Put back a copy, or {_AGAIN}.")


def _text(table: Mapping[str, Any]) -> str:
    return json.dumps(table, indent=1, sort_keys=True) + "\n"


def _checksum(table: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(table).encode()).hexdigest()
