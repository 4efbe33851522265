"""Small cohorts on disk, film by film, and the store that answers from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import Manifest, ModelManifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import CASES, EMBEDDINGS, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.version import version_of
from explorer.core.finding_relations import FindingRelation
from explorer.store.store import Store

NAME, MODEL = "small", "reader"


@dataclass(frozen=True)
class Film:
    """A film: labels by finding ("present", ...), by source where there are several; scores by finding."""

    case: str
    labels: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    patient: str | None = None
    center: str = "North"
    study: str | None = None
    view: str = "PA"
    features: Sequence[float] = ()
    others: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # labels by another source
    root: str = "none"
    file: str | None = None
    sex: str = "unknown"
    age: int | None = None
    split: str | None = None
    weight: float | None = None


def write_small(
    place: Path,
    films: Sequence[Film],
    thresholds: Mapping[str, float],
    *,
    name: str = NAME,
    model: str = MODEL,
    sha256: str | None = None,
    in_sample: Iterable[str] = (),
    simulated: bool = False,
    relations: tuple[FindingRelation, ...] = (),
) -> Folder:
    """Write a cohort below `place` that one model has scored."""
    folder = Folder(place / name)
    write_table(folder.cases, _cases(films))
    write_table(folder.labels, _labels(films))
    write_table(folder.predictions(model) / "part-00000.parquet", _predictions(films))
    if any(film.features for film in films):
        write_table(folder.embeddings(model) / "part-00000.parquet", _embeddings(films))
    cuts = {"finding": list(thresholds), "split": [None] * len(thresholds), "threshold": list(thresholds.values())}
    write_table(
        folder.operating_points(model), pa.table(cuts | {"rule": ["set"] * len(cuts["finding"])}, OPERATING_POINTS)
    )
    findings = tuple(dict.fromkeys(finding for film in films for finding in film.scores))
    scored = sum(bool(film.scores) for film in films) or len(films)
    about = ModelManifest(
        model, model, sha256, "none", "apart", findings, dict.fromkeys(in_sample, "in-sample"), scored, 0, "set"
    )
    write_manifest(folder.model(model), about)
    version = version_of(folder.cases, folder.labels)
    title, masks = f"{len(films)} films", "simulator" if simulated else "none"
    about_films = Manifest(name, title, "made", version, len(films), True, "unknown", simulated=simulated, masks=masks)
    write_manifest(folder.manifest, replace(about_films, relations=relations))
    return folder


def store_of(*folders: Folder) -> Store:
    return Store(lambda: folders)


def _cases(films: Sequence[Film]) -> pa.Table:
    columns = {each.name: [getattr(film, each.name, None) for film in films] for each in CASES}
    return pa.table(columns, schema=CASES)


def _labels(films: Sequence[Film]) -> pa.Table:
    said = [
        (film.case, finding, label, source)
        for film in films
        for source, labels in {"one": film.labels, **film.others}.items()
        for finding, label in labels.items()
    ]
    return pa.table(dict(zip(LABEL_ROWS.names, _columns(said, 4), strict=True)), schema=LABEL_ROWS)


def _predictions(films: Sequence[Film]) -> pa.Table:
    rows = [(film.case, finding, score) for film in films for finding, score in film.scores.items()]
    return pa.table(dict(zip(PREDICTIONS.names, _columns(rows, 3), strict=True)), schema=PREDICTIONS)


def _embeddings(films: Sequence[Film]) -> pa.Table:
    blobs = {film.case: np.asarray(film.features, dtype="<f2").tobytes() for film in films if film.features}
    return pa.table({"case": list(blobs), "features": list(blobs.values())}, schema=EMBEDDINGS)


def _columns(rows: Sequence[tuple[object, ...]], n: int) -> list[list[object]]:
    return [[row[place] for row in rows] for place in range(n)]
