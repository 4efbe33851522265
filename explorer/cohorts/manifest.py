"""What a cohort and its predictions say of themselves, as JSON beside the Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from explorer.cohorts.layout import NoCohort
from explorer.cohorts.schema import Unit
from models.whole_file import replaced

FORMAT = 1
Masks = Literal["none", "simulator"]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A cohort: `version` changes with its cases or labels, `blank` says what no label means in its source.

    `masks` says where those of its findings come from: nowhere, or from the simulator, which makes them with the film.
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
    counts: dict[str, int] = field(default_factory=dict)  # of the ingest report: taken, rejected by reason
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """What made a cohort's predictions of one model.

    `sha256` is that of the weights, None where nobody knows (imported scores). `split` says in words how films and
    training are apart; films of `in_sample` centers were trained on. `findings` are those the model has a score for.
    Of an image-text model the predictions are margins (cosines, on either side of 0): `scale` is its logit scale, and
    sigmoid(scale * margin) its score. A score has no scale.
    """

    model: str
    title: str
    sha256: str | None
    preprocessing: str
    split: str
    findings: tuple[str, ...]
    in_sample: tuple[str, ...]
    scored: int
    failed: int
    thresholds: str  # where the operating points are from
    unit: Unit = "score"
    scale: float | None = None
    format: int = FORMAT


def write_manifest(path: Path, manifest: Manifest | ModelManifest) -> None:
    """Write it as JSON, whole or not at all."""
    with replaced(path) as partial:
        partial.write_text(json.dumps(asdict(manifest), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_manifest(path: Path) -> Manifest:
    """A cohort's manifest; raises NoCohort."""
    table = _table(path)
    with _complete(path):
        return Manifest(**table | {"roots": tuple(table["roots"])})


def read_model_manifest(path: Path) -> ModelManifest:
    """The manifest of a model's predictions; raises NoCohort."""
    table = _table(path)
    with _complete(path):
        return ModelManifest(**table | {name: tuple(table[name]) for name in ("findings", "in_sample")})


def _table(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NoCohort(
            f"{path.name} of {path.parent.name} cannot be read", f"{error}. Make the cohort again."
        ) from error
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise NoCohort(
            f"{path.parent.name} was made by another version of Tailscope", "Ingest or score it again with this one."
        )
    return table


@contextmanager
def _complete(path: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError) as error:
        raise NoCohort(
            f"{path.name} of {path.parent.name} is no manifest", f"{error}. Make the cohort again."
        ) from error
