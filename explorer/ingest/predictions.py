"""Scores made elsewhere, beside a cohort that is there or as a cohort of their own."""

from __future__ import annotations

import csv
import dataclasses
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from explorer.cohorts.layout import CACHE, Folder, checked_name
from explorer.cohorts.listing import check_cohort, listed_scores, parts
from explorer.cohorts.manifest import ModelManifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, readable, write_batches, write_table
from explorer.cohorts.schema import OPERATING_POINTS, PREDICTIONS
from explorer.core.csv_safe import harmless
from explorer.core.in_sample import Origin, Origins
from explorer.ingest.given_thresholds import GivenThresholds
from explorer.ingest.ordered_scores import in_float32, tell_moved
from explorer.ingest.scores_beside_labels import labels_of
from explorer.ingest.totals import Totals, totals_of
from explorer.metrics.odd_scores import odd_scores
from explorer.tabular.image_names import image_names, look_alike
from explorer.tabular.notes import Note, Notes, Recognized
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.scores_sheet import read_scores_sheet
from explorer.tabular.sheet import NO_OWN, Sheet
from models.whole_file import atomic_write

PREPROCESSING = "not known: the scores were made elsewhere"
SPLIT = "not stated: the scores were made elsewhere"
SHOWN = 3  # identifiers in a sentence
OTHERWISE = "Folders, file endings, capitals and forms of letters do not matter where they are all that differs"


@dataclass(frozen=True, slots=True)
class GivenScores:
    """Scores made elsewhere, and what is to be known about them."""

    sheet: Sheet
    thresholds: GivenThresholds
    model: str
    origins: Origins = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedScores:
    """What was imported: films and findings with scores, cases without any, and images that are no case.

    `notes` tell how names of images were matched; `totals` count the films with scores.
    """

    manifest: ModelManifest
    failures: Path
    unscored: int
    strange: int
    without_threshold: tuple[str, ...]
    notes: tuple[Note, ...]
    totals: Totals


def read_scores(
    path: Path, image: str, notes: Notes | None = None, own: OwnColumns = NO_OWN, *, logits: bool = False
) -> Sheet:
    """One row per image, one column per finding, scores from 0 to 1, or `logits`; `notes` get how it was read, `own`
    are findings that no taxonomy has.

    Raises WrongInput where the file cannot be used at all, FailedChecks where rows or columns of it are wrong.
    """
    problems, read = Problems(), Notes() if notes is None else notes
    sheet = read_scores_sheet(path, image, problems, read, own=own, logits=logits)
    problems.refuse(read)
    return sheet


def origins_of(in_sample: Sequence[str], internal: Sequence[str], external: Sequence[str]) -> Origins:
    """What is said of centers as one table; raises WrongInput for a center that two things are said of."""
    named = [*in_sample, *internal, *external]
    twice = [center for center in named if named.count(center) > 1]
    if twice:
        raise WrongInput(f"{twice[0]!r} is named twice. A center is in-sample, internal or external.")
    said: dict[Origin, Sequence[str]] = {"in-sample": in_sample, "internal": internal, "external": external}
    return {center: origin for origin, centers in said.items() for center in centers}


def place_of(folder: Folder, model: str, *, replace: bool) -> Folder:
    """Where imported scores of a cohort go: never into a shipped one. Raises NoCohort, WrongInput."""
    checked_name(model)
    if folder.path.parent == CACHE and folder.overlay is None:
        raise WrongInput(f"Your own cohort {folder.name!r} has the name of a shipped one. Rename its folder first.")
    place = folder if folder.overlay is None else Folder(folder.overlay)
    if _is_our_work(folder, model) or _is_begun(place, model):
        raise WrongInput(f"{folder.name} has scores that Tailscope made with {model!r}. Choose another name.")
    if model in folder.models() and not replace:
        raise WrongInput(f"{folder.name} has scores of {model!r} already. Choose another name, or --replace them.")
    place.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _is_our_work(folder: Folder, model: str) -> bool:
    return model in folder.models() and read_model_manifest(folder.model(model)).sha256 is not None


def _is_begun(place: Folder, model: str) -> bool:
    """Whether there are parts of a run that was broken off: they name their weights, and no manifest does yet."""
    return any(map(_names_weights, parts(place.predictions(model))))


def _names_weights(part: Path) -> bool:
    with readable(part):
        return b"sha256" in (pq.read_schema(part).metadata or {})


def write_scores(cohort: Folder, place: Folder, scores: GivenScores) -> ImportedScores:
    """Write scores of the cohort's cases at a place, and the model's manifest last: without it the model is not there.

    Raises WrongInput where the scores are of none of the cases, or there is no film of a center that is named.
    """
    sheet, thresholds, model = scores.sheet, scores.thresholds, scores.model
    cases = _cases(cohort, scores.origins)
    known = set(cases)
    sheet, notes = _as_cases(sheet, cases)
    rows = [(image, row) for row, image in enumerate(sheet.lines) if image in known]
    if not rows:
        raise WrongInput(_strangers(sheet, cases))
    place.model(model).unlink(missing_ok=True)
    for old in (place.predictions(model), place.embeddings(model)):
        shutil.rmtree(old, ignore_errors=True)
    kept = [_kept(sheet, rows, finding, thresholds) for finding in sorted(sheet.columns)]
    _tell_odd(cohort, sheet, rows, notes)
    tell_moved(sheet.path, {each.finding: each.moved for each in kept if each.moved}, notes)
    write_batches(place.predictions(model) / "part-00000.parquet", PREDICTIONS, _batches(rows, kept))
    values = {each.finding: each.threshold for each in kept if each.threshold is not None}
    points = list(values), [None] * len(values), list(values.values()), [thresholds.rule] * len(values)
    write_table(place.operating_points(model), pa.table(list(points), schema=OPERATING_POINTS))
    _write_failures(place.failures(model), _failures(sheet, known, cases))
    manifest = ModelManifest(
        model=model,
        title=model,
        sha256=None,
        preprocessing=PREPROCESSING,
        split=SPLIT,
        findings=tuple(sheet.columns),
        origins=scores.origins,
        scored=len(rows),
        failed=len(cases) - len(rows),
        thresholds=thresholds.said,
        files=listed_scores(place, model),
    )
    write_manifest(place.model(model), manifest)
    without = tuple(finding for finding in sheet.columns if finding not in values)
    return ImportedScores(
        manifest=manifest,
        failures=place.failures(model),
        unscored=len(cases) - len(rows),
        strange=len(sheet.lines) - len(rows),
        without_threshold=without,
        notes=tuple(notes),
        totals=totals_of(cohort, {image for image, _ in rows}),
    )


def _tell_odd(cohort: Folder, sheet: Sheet, rows: Sequence[tuple[str, int]], notes: Notes) -> None:
    findings = list(sheet.columns)
    labels = labels_of(cohort, [image for image, _ in rows], findings)
    for said in odd_scores(findings, labels, sheet.values[[row for _, row in rows]]):
        notes.add(Recognized.ODD_SCORES, sheet.path, said)


def _as_cases(sheet: Sheet, cases: Sequence[str]) -> tuple[Sheet, Notes]:
    """The scores under the names of the cases, where these have other endings or folders."""
    notes, found = Notes(), image_names(sheet.lines, cases, "the cohort")
    if found is None:
        return sheet, notes
    notes.add(Recognized.IMAGE_NAMES, sheet.path, found.said)
    lines = {found.pairs.get(image, image): line for image, line in sheet.lines.items()}
    return dataclasses.replace(sheet, lines=lines), notes


def _cases(cohort: Folder, named: Iterable[str]) -> list[str]:
    if cohort.manifest.exists():  # one that is being made has none yet
        check_cohort(cohort)
    table = read_table(cohort.cases, ["case", "center"])
    centers = sorted(set(table["center"].to_pylist()))
    strange = [center for center in named if center not in centers]
    if strange:
        raise WrongInput(f"No film is from {strange[0]!r}. The centers are {', '.join(map(repr, centers))}.")
    return list(table["case"].to_pylist())


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The scores of a finding in the order of the rows, and its threshold, as they are kept; `moved`: how far from
    what was given, 0 where they are just rounded.
    """

    finding: str
    scores: NDArray[np.float32]
    threshold: float | None
    moved: float


def _kept(sheet: Sheet, rows: Sequence[tuple[str, int]], finding: str, thresholds: GivenThresholds) -> _Kept:
    """The threshold is kept as the scores are: a score of 0.7 reaches a threshold of 0.7, 0.69999999999 does not."""
    column = sheet.values[np.array([row for _, row in rows]), list(sheet.columns).index(finding)]
    threshold = thresholds.values.get(finding)
    given = column if threshold is None else np.append(column, threshold)
    kept = in_float32(given)
    moved = 0.0 if np.array_equal(kept, given.astype(np.float32)) else float(np.abs(kept - given).max())
    return _Kept(finding, kept[: len(rows)], None if threshold is None else float(kept[-1]), moved)


def _batches(rows: Sequence[tuple[str, int]], kept: Iterable[_Kept]) -> Iterator[pa.RecordBatch]:
    images = pa.array([image for image, _ in rows], pa.string())
    for each in kept:
        words = pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), [each.finding])
        yield pa.RecordBatch.from_arrays([images, words, pa.array(each.scores)], schema=PREDICTIONS)


def _failures(sheet: Sheet, known: set[str], cases: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from ((case, f"{sheet.path.name} has no scores of it") for case in cases if case not in sheet.lines)
    yield from ((image, "not a case of the cohort") for image in sheet.lines if image not in known)


def _write_failures(path: Path, failures: Iterator[tuple[str, str]]) -> None:
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["case", "reason"])
        lines.writerows((harmless(case), harmless(reason)) for case, reason in failures)


def _strangers(sheet: Sheet, cases: Sequence[str]) -> str:
    images = ", ".join(repr(image) for image in list(sheet.lines)[:SHOWN])
    theirs = ", ".join(repr(case) for case in cases[:SHOWN])
    n, name = len(sheet.lines), sheet.path.name
    none = f"The only image of {name} is not" if n == 1 else f"None of the {n:,} images of {name} is"
    named = "It is" if n == 1 else "The images are"
    return (
        f"{none} a case of the cohort. {named} named {images}, the cases {theirs}. "
        f"{look_alike(sheet.lines, cases) or OTHERWISE}."
    )
