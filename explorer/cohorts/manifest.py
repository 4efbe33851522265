"""What a cohort and its predictions say of themselves, as JSON beside the Parquet files.

A manifest lists the files that it is about with their rows and hashes, and its last word is a hash of itself. Those of
format 1 do neither: they are read, and what they are about is not checked.
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
from models.cards.known_file import file_state, is_settled
from models.whole_file import atomic_write

FORMAT, UNLISTED = 2, 1  # as they are written, and as they were before files were listed
CHECKSUM = "checksum"
COMING = "still to be read"  # of the counts: files of a folder that is read now
KEPT = 256  # manifests that need not be read again while their files stay the same
Masks = Literal["none", "simulator"]
Kind = TypeVar("Kind", "Manifest", "ModelManifest")


@dataclass(frozen=True, slots=True)
class FileFacts:
    """By which a file is known again."""

    rows: int
    sha256: str


Files = Mapping[str, FileFacts]  # by the path below the folder that has the manifest, or below which `models` lies


@dataclass(frozen=True, slots=True)
class Manifest:
    """A cohort: `version` changes with its cases or labels, `blank` says what no label means in its source.

    `masks` says where those of its findings come from: nowhere, or from the simulator, which makes them with the film.
    `files` are cases, labels, boxes and appearances; None: they were never listed, and are not checked. `relations` are
    what its findings are to others, as its maker states it.
    """

    name: str
    title: str
    source: str
    version: str
    cases: int
    labelled: bool  # False: no label at all, fit for score shift only
    blank: str
    simulated: bool = False
    masks: Masks = "none"
    roots: tuple[str, ...] = ()  # names of the image folders that its files are below
    default_source: str | None = None  # whose labels count where none is asked for; None: those of all sources together
    counts: dict[str, int] = field(default_factory=dict)  # of the ingest report: taken, rejected by reason
    files: Files | None = None
    relations: tuple[FindingRelation, ...] = ()
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Training:
    """How a model of the lab was trained: what its recipe `changes` of the recipe `baseline`, whose method it is, which
    `team` used it ("" where none did), on how many films, and what it cost.

    `core_minutes` and the `milliseconds` a film takes are those of one processor core.
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


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """What made a cohort's predictions of one model.

    `sha256` is that of the weights, None where nobody knows (imported scores). `split` says in words how films and
    training are apart, `origins` in one word for each center. `findings` are those the model has a score for.
    Of an image-text model the predictions are margins (cosines, on either side of 0): `scale` is its logit scale, and
    sigmoid(scale * margin) its score. A score has no scale. `training` is known of the lab's models. `files` are the
    shards and the operating points; None: they were never listed, and are not checked. `relations` are what its
    findings are to others, as its card states it.
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
    thresholds: str  # where the operating points are from
    unit: Unit = "score"
    scale: float | None = None
    training: Training | None = None
    files: Files | None = field(default=None, hash=False)
    relations: tuple[FindingRelation, ...] = ()
    format: int = FORMAT

    @property
    def out_of_fold(self) -> bool:
        """Whether each score is from a model that saw no film of that patient, while the named one saw them all."""
        return self.split.startswith("out of fold")


def write_manifest(path: Path, manifest: Manifest | ModelManifest) -> None:
    """Write it as JSON with its checksum, whole or not at all."""
    table = asdict(manifest)
    if not table.get("relations", True):
        del table["relations"]  # of most there are none, and versions before this one know no such key
    with atomic_write(path) as partial:
        partial.write_text(_text(table | {CHECKSUM: _checksum(table)}), encoding="utf-8")


def read_manifest(path: Path) -> Manifest:
    """A cohort's manifest; raises NoCohort."""
    stat = _stat(path)
    return _cohort(path, file_state(stat)) if is_settled(stat) else _parsed(path, Manifest)


def read_model_manifest(path: Path) -> ModelManifest:
    """The manifest of a model's predictions; raises NoCohort, also where it is another model's."""
    stat = _stat(path)
    said = _model(path, file_state(stat)) if is_settled(stat) else _parsed(path, ModelManifest)
    if said.model != path.stem:
        raise another(path, said.model)
    return said


# Read again only when the file is another: every question asks for it, and a list of shards is long.
@lru_cache(maxsize=KEPT)
def _cohort(path: Path, _state: tuple[int, ...]) -> Manifest:
    return _parsed(path, Manifest)


@lru_cache(maxsize=KEPT)
def _model(path: Path, _state: tuple[int, ...]) -> ModelManifest:
    return _parsed(path, ModelManifest)


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise _unreadable(path, error) from error


def another(path: Path, name: str) -> NoCohort:
    """The refusal of a manifest that lies where that of another belongs."""
    return NoCohort(f"{called(path)} is about {name}", "Give the file or the folder its name again.")


def called(path: Path) -> str:
    """A manifest in a sentence."""
    if path.parent.name == "models":
        return f"models/{path.name} of {path.parent.parent.name}"
    return f"{path.name} of {path.parent.name}"


def _parsed(path: Path, kind: type[Kind]) -> Kind:
    table = _table(path)
    given = table.pop(CHECKSUM, None)
    if table["format"] == UNLISTED and given is None:
        table["format"] = FORMAT
    elif given != _checksum(table):
        raise NoCohort(
            f"{called(path)} is not a manifest, or is damaged",
            f"Its checksum does not match its content. Put back a copy, or {_AGAIN}.",
        )
    if kind is ModelManifest and "in_sample" in table:
        table["origins"] = _origins(table.pop("in_sample"))
    try:
        return typed(kind, table)
    except ValueError as error:
        raise NoCohort(f"{called(path)} is not a manifest", f"In it {error}. Put back a copy, or {_AGAIN}.") from error


def _origins(in_sample: object) -> object:
    """What a manifest says that was written when it listed the centers trained on, whichever their films."""
    return dict.fromkeys(in_sample, "possibly in-sample") if isinstance(in_sample, list) else in_sample


def _table(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    known = isinstance(table, dict) and type(table.get("format")) is int and table["format"] in (UNLISTED, FORMAT)
    if not known:
        raise NoCohort(
            f"{called(path)} was made by another version of Tailscope", "Ingest or score it again with this one."
        )
    return dict(table)


_AGAIN = "ingest or score the cohort again"


def _unreadable(path: Path, error: Exception) -> NoCohort:
    why = error.strerror if isinstance(error, OSError) else error  # without the path, which is of this machine
    return NoCohort(f"{called(path)} cannot be read", f"{why}. Put back a copy, or {_AGAIN}.")


def _text(table: Mapping[str, Any]) -> str:
    return json.dumps(table, indent=1, sort_keys=True) + "\n"


def _checksum(table: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(table).encode()).hexdigest()
