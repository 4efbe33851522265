"""Makes the perturbed scores of the shipped cohort `phantom`: `python -m explorer.workshop.shipping.phantom_perturbed`.

To keep them small, only 600 films are scored, kinds with a dial have strengths 1, 3 and 5, and scores are
rounded to nine binary digits, a relative error of 0.2 % at most. A run that was stopped goes on where it stopped.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.analysis.robustness.perturbed_films import read_level
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import ModelManifest, read_manifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.perturbed_scores import known_levels, perturbed_folder
from explorer.cohorts.predictions_table import predictions_table
from explorer.scoring.perturbed_run import score_perturbed
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME
from models.array_types import Float32
from models.load import classifier
from models.perturbations.film import Level, levels
from models.perturbations.registry import PERTURBATIONS

log = logging.getLogger(__name__)
MODEL = "phantom"
FILMS = 600
STRENGTHS = (0, 1, 3, 5)
PART_FILMS = 40
DIGITS = 8  # binary, after the first


def main() -> None:
    """Score the films in a folder of the run, then pack the scores beside the cohort."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.phantom_perturbed", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for unrounded scores")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cohort = Folder(CACHE / COHORT_NAME)
    scored = some_films(cohort, Folder(options.run / COHORT_NAME), FILMS)
    wanted = shipped_levels()
    score_perturbed(scored, classifier(MODEL, "cpu"), Images(), wanted, _log_progress, PART_FILMS)
    pack(scored, cohort, MODEL)
    log.info("%d levels of %d films", len(wanted), FILMS)


def shipped_levels() -> tuple[Level, ...]:
    """Return every kind on, or at strengths 1, 3 and 5."""
    return tuple(level for level in levels(tuple(PERTURBATIONS)) if level.strength in STRENGTHS)


def some_films(cohort: Folder, target: Folder, films: int) -> Folder:
    """Write a cohort with `films` of the cohort's cases, evenly spaced in the order of their names."""
    cases, labels = (read_table(path).sort_by("case") for path in (cohort.cases, cohort.labels))
    some = cases.take(np.linspace(0, len(cases) - 1, films).round().astype(np.int64))
    write_table(target.cases, some)
    write_table(target.labels, labels.filter(pc.is_in(labels["case"], some["case"].combine_chunks())))
    write_manifest(target.manifest, replace(read_manifest(cohort.manifest), cases=films, files=listed_cohort(target)))
    return target


def pack(scored: Folder, cohort: Folder, model: str) -> None:
    """Write a model's levels of `scored`, rounded, as those of `cohort`, whose films it has not seen either."""
    target, about = perturbed_folder(cohort, model), read_model_manifest(cohort.model(model))
    cases = sorted(read_table(scored.cases, ["case"])["case"].to_pylist())
    for level, source in known_levels(scored, model).items():
        manifest = read_model_manifest(source.model(level))
        scores = read_level(source, level, cases, manifest.findings)
        known = replace(manifest, split=about.split, origins=about.origins)
        write_level(target, known, cases, scores, read_table(source.operating_points(level)))


def write_level(target: Folder, about: ModelManifest, cases: Sequence[str], scores: Float32, points: pa.Table) -> None:
    """Write scores (cases, findings) of the level that `about` names, rounded, with its operating points."""
    level = about.model
    table = predictions_table(cases, about.findings, rounded(scores))
    write_table(target.predictions(level) / "part-00000.parquet", table)
    write_table(target.operating_points(level), points)
    preprocessing = f"{about.preprocessing}; scores rounded to {DIGITS + 1} binary digits"
    write_manifest(target.model(level), replace(about, preprocessing=preprocessing, files=listed_scores(target, level)))


def rounded(scores: Float32, digits: int = DIGITS) -> Float32:
    """Return scores with `digits` binary digits after the first, so that they compress."""
    fraction, exponent = np.frexp(scores.astype(np.float64))
    step = 2.0 ** (digits + 1)
    return np.ldexp(np.rint(fraction * step) / step, exponent).astype(np.float32)


def _log_progress(done: int, of: int) -> None:
    log.info("%d of %d films", done, of)


if __name__ == "__main__":
    main()
