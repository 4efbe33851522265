"""Imports scores made elsewhere, into an existing cohort or as a new one."""

from __future__ import annotations

import csv
import dataclasses
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from explorer.cohorts.layout import CACHE, Folder, checked_name
from explorer.cohorts.listing import check_cohort, listed_scores, shards_in
from explorer.cohorts.manifest import ModelManifest, read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, reading_parquet, write_batches, write_table
from explorer.cohorts.schema import OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.core.arrays import Floats
from explorer.core.csv_safe import formula_safe
from explorer.core.in_sample import Origin, Origins
from explorer.ingest.given_thresholds import GivenThresholds
from explorer.ingest.ordered_scores import in_float32, note_moved_scores
from explorer.ingest.scores_by_study import scores_by_film
from explorer.ingest.totals import Totals, totals_of
from explorer.metrics.odd_scores import odd_scores
from explorer.tabular.image_names import image_names, look_alike
from explorer.tabular.notes import Note, Notes, Recognized
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.scores_sheet import read_scores_sheet
from explorer.tabular.sheet import NO_OWN, Sheet
from models.whole_file import atomic_write

UNKNOWN_PREPROCESSING = "not known: the scores were made elsewhere"
UNKNOWN_SPLIT = "not stated: the scores were made elsewhere"
MAX_NAMED = 3  # identifiers in a sentence
IGNORED_DIFFERENCES = "Folders, file endings, capitals and forms of letters are ignored if nothing else differs"


@dataclass(frozen=True, slots=True)
class GivenScores:
    """Scores made elsewhere, with thresholds and the origin of their training films."""

    sheet: Sheet
    thresholds: GivenThresholds
    model: str
    origins: Origins = field(default_factory=dict)
    title: str = ""  # by default the model's name


@dataclass(frozen=True, slots=True)
class ImportedScores:
    """The result of an import: films and findings with scores, cases without scores, images that are not cases.

    `notes` report how image names were matched; `totals` count the films with scores.
    """

    manifest: ModelManifest
    failures: Path
    unscored: int
    strange: int
    without_threshold: tuple[str, ...]
    notes: tuple[Note, ...]
    totals: Totals


def read_scores_file(
    path: Path, image: str, notes: Notes | None = None, own: OwnColumns = NO_OWN, *, logits: bool = False
) -> Sheet:
    """Read a file with one row per image and one column per finding: scores from 0 to 1, or `logits`.

    `notes` receives how it was read; `own` are findings that no taxonomy has. Raises WrongInput if the file is
    unusable, FailedChecks if rows or columns are wrong.
    """
    problems, read = Problems(), Notes() if notes is None else notes
    sheet = read_scores_sheet(path, image, problems, read, own=own, logits=logits)
    problems.refuse(read)
    return sheet


def origins_of(in_sample: Sequence[str], internal: Sequence[str], external: Sequence[str]) -> Origins:
    """Return the origin of each center; raises WrongInput for a center that is named twice."""
    named = [*in_sample, *internal, *external]
    twice = [center for center in named if named.count(center) > 1]
    if twice:
        raise WrongInput(f"{twice[0]!r} is named twice. A center is in-sample, internal or external.")
    centers_by_origin: dict[Origin, Sequence[str]] = {
        "in-sample": in_sample,
        "internal": internal,
        "external": external,
    }
    return {center: origin for origin, centers in centers_by_origin.items() for center in centers}


def imported_scores_folder(folder: Folder, model: str, *, replace: bool) -> Folder:
    """Return the folder for imported scores of a cohort, never a shipped one. Raises Refusal, WrongInput."""
    checked_name(model)
    refuse_study_cohort(folder, "scores")
    if folder.path.parent == CACHE and folder.overlay is None:
        raise WrongInput(f"Your own cohort {folder.name!r} is named like a shipped one. Rename its folder first.")
    place = folder if folder.overlay is None else Folder(folder.overlay)
    if _scored_by_tailscope(folder, model) or _scoring_interrupted(place, model):
        raise WrongInput(f"{folder.name} has scores that Tailscope made with {model!r}. Choose another name.")
    if model in folder.models() and not replace:
        raise WrongInput(f"{folder.name} already has scores of {model!r}. Choose another name, or --replace them.")
    place.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _scored_by_tailscope(folder: Folder, model: str) -> bool:
    return model in folder.models() and read_model_manifest(folder.model(model)).sha256 is not None


def _scoring_interrupted(place: Folder, model: str) -> bool:
    """Whether an interrupted run left parts, which name their weights although no manifest does yet."""
    return any(map(_names_weights, shards_in(place.predictions(model))))


def _names_weights(part: Path) -> bool:
    with reading_parquet(part):
        return b"sha256" in (pq.read_schema(part).metadata or {})


def write_given_scores(cohort: Folder, place: Folder, scores: GivenScores) -> ImportedScores:
    """Write scores of the cohort's cases into `place`, the model's manifest last, because it makes the model visible.

    Raises WrongInput if no score belongs to a case, or if the cohort has no films from a named center.
    """
    sheet, thresholds, model = scores.sheet, scores.thresholds, scores.model
    cases = _cases(cohort, scores.origins)
    known = set(cases)
    sheet, notes = _renamed_to_cases(sheet, cases)
    if known.isdisjoint(sheet.lines):
        sheet = scores_by_film(cohort, sheet, notes)
    rows = [(image, row) for row, image in enumerate(sheet.lines) if image in known]
    if not rows:
        raise WrongInput(_strangers(sheet, cases))
    place.model(model).unlink(missing_ok=True)
    for old in (place.predictions(model), place.embeddings(model)):
        shutil.rmtree(old, ignore_errors=True)
    stored = [_stored(sheet, rows, finding, thresholds) for finding in sorted(sheet.columns)]
    _note_odd_scores(cohort, sheet, rows, notes)
    note_moved_scores(sheet.path, {each.finding: each.moved for each in stored if each.moved}, notes)
    write_batches(place.predictions(model) / "part-00000.parquet", PREDICTIONS, _batches(rows, stored))
    values = {each.finding: each.threshold for each in stored if each.threshold is not None}
    points = list(values), [None] * len(values), list(values.values()), [thresholds.rule] * len(values)
    write_table(place.operating_points(model), pa.table(list(points), schema=OPERATING_POINTS))
    _write_failures(place.failures(model), _failures(sheet, known, cases))
    manifest = ModelManifest(
        model=model,
        title=scores.title or model,
        sha256=None,
        preprocessing=UNKNOWN_PREPROCESSING,
        split=UNKNOWN_SPLIT,
        findings=tuple(sheet.columns),
        origins=scores.origins,
        scored=len(rows),
        failed=len(cases) - len(rows),
        thresholds=thresholds.origin,
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


def _note_odd_scores(cohort: Folder, sheet: Sheet, rows: Sequence[tuple[str, int]], notes: Notes) -> None:
    findings = list(sheet.columns)
    labels = default_labels(cohort, [image for image, _ in rows], findings)
    for sentence in odd_scores(findings, labels, sheet.values[[row for _, row in rows]]):
        notes.add(Recognized.ODD_SCORES, sheet.path, sentence)


def _renamed_to_cases(sheet: Sheet, cases: Sequence[str]) -> tuple[Sheet, Notes]:
    """Return the scores under the names of the cases, if these differ in endings or folders."""
    notes, found = Notes(), image_names(sheet.lines, cases, "the cohort")
    if found is None:
        return sheet, notes
    notes.add(Recognized.IMAGE_NAMES, sheet.path, found.note)
    lines = {found.pairs.get(image, image): line for image, line in sheet.lines.items()}
    return dataclasses.replace(sheet, lines=lines), notes


def _cases(cohort: Folder, named: Iterable[str]) -> list[str]:
    if cohort.manifest.exists():  # a cohort being built has none yet
        check_cohort(cohort)
    table = read_table(cohort.cases, ["case", "center"])
    centers = sorted(set(table["center"].to_pylist()))
    unknown = [center for center in named if center not in centers]
    if unknown:
        raise WrongInput(f"No film is from {unknown[0]!r}. The centers are {', '.join(map(repr, centers))}.")
    return list(table["case"].to_pylist())


@dataclass(frozen=True, slots=True, eq=False)
class _StoredFinding:
    """The stored scores of a finding in the order of the rows, and its threshold; `moved`: the largest change beyond
    float32 rounding, 0 if there is none.
    """

    finding: str
    scores: NDArray[np.float32]
    threshold: float | None
    moved: float


def _stored(sheet: Sheet, rows: Sequence[tuple[str, int]], finding: str, thresholds: GivenThresholds) -> _StoredFinding:
    """Convert scores and threshold together: a score of 0.7 reaches a threshold of 0.7, 0.69999999999 does not."""
    column = sheet.values[np.array([row for _, row in rows]), list(sheet.columns).index(finding)]
    threshold = thresholds.values.get(finding)
    given = column if threshold is None else np.append(column, threshold)
    stored = in_float32(given)
    moved = 0.0 if np.array_equal(stored, given.astype(np.float32)) else float(np.abs(stored - given).max())
    return _StoredFinding(finding, stored[: len(rows)], None if threshold is None else float(stored[-1]), moved)


def _batches(rows: Sequence[tuple[str, int]], stored: Iterable[_StoredFinding]) -> Iterator[pa.RecordBatch]:
    images = pa.array([image for image, _ in rows], pa.string())
    for each in stored:
        words = pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), [each.finding])
        yield pa.RecordBatch.from_arrays([images, words, pa.array(each.scores)], schema=PREDICTIONS)


def _failures(sheet: Sheet, known: set[str], cases: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from ((case, f"{sheet.path.name} has no scores of it") for case in cases if case not in sheet.lines)
    yield from ((image, "not a case of the cohort") for image in sheet.lines if image not in known)


def _write_failures(path: Path, failures: Iterator[tuple[str, str]]) -> None:
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["case", "reason"])
        lines.writerows((formula_safe(case), formula_safe(reason)) for case, reason in failures)


def _strangers(sheet: Sheet, cases: Sequence[str]) -> str:
    images = ", ".join(repr(image) for image in list(sheet.lines)[:MAX_NAMED])
    case_names = ", ".join(repr(case) for case in cases[:MAX_NAMED])
    n, name = len(sheet.lines), sheet.path.name
    none = f"The only image of {name} is not" if n == 1 else f"None of the {n:,} images of {name} is"
    named = "It is" if n == 1 else "The images are"
    return (
        f"{none} a case of the cohort. {named} named {images}, the cases {case_names}. "
        f"{look_alike(sheet.lines, cases) or IGNORED_DIFFERENCES}."
    )


def default_labels(cohort: Folder, images: Sequence[str], findings: Sequence[str]) -> Floats:
    """Return labels (images, findings): 1 present, 0 absent, NaN if unknown or if two sources that count disagree."""
    labels = read_table(cohort.labels, ["case", "finding", "label", "source"])
    counts = read_manifest(cohort.manifest).default_source if cohort.manifest.exists() else None
    if counts is not None:
        labels = labels.filter(pc.equal(labels["source"].cast(pa.string()), counts))
    rows = pc.index_in(labels["case"], pa.array(images, pa.string()))
    columns = pc.index_in(labels["finding"].cast(pa.string()), pa.array(findings, pa.string()))
    label = labels["label"].cast(pa.string())
    shape = len(images), len(findings)
    by_label = {word: np.zeros(shape, dtype=np.bool_) for word in ("present", "absent", "uncertain")}
    for word, mask in by_label.items():
        chosen = pc.and_(pc.and_(rows.is_valid(), columns.is_valid()), pc.equal(label, word))
        mask[rows.filter(chosen).to_numpy(), columns.filter(chosen).to_numpy()] = True
    found = np.full((len(images), len(findings)), np.nan)
    found[by_label["present"] & ~by_label["absent"] & ~by_label["uncertain"]] = 1
    found[by_label["absent"] & ~by_label["present"] & ~by_label["uncertain"]] = 0
    return found
