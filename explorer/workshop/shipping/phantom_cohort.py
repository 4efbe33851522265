"""Makes the shipped cohort `phantom` from the shipped models: `python -m explorer.workshop.shipping.phantom_cohort`.

It contains the cases, exact labels and report labels, boxes, appearances and natural weights of the 2,000 test films,
and the scores of `phantom` and `phantom-vlm`. The films are rendered, which takes long, or taken from the folder of a
lab run. The cohort stores no films: a case's file is the film's address.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import Manifest, ModelManifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.predictions_table import predictions_table
from explorer.cohorts.schema import BOXES, CASES, LABEL_ROWS
from explorer.cohorts.version import version_of
from explorer.scoring.card_facts import ScoringModel, model_manifest, operating_points, scoring_classifier, scoring_vlm
from explorer.scoring.score_files import features_table
from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TEST_SPLIT, UNSEEN_FINDINGS, SampledCase, sample_cases
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.request import ABNORMAL, CENTERS
from explorer.workshop.demo.nih_oof_twin import exact_margins, read_directions
from explorer.workshop.lab.phantom_dataset import exact_labels
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_shard import MAX_PIXEL, RenderedPixels
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME, appearance_table
from explorer.workshop.shipping.phantom_report import EXACT_SOURCE, add_report
from explorer.workshop.shipping.shipped_thumbnails import pack_cohort
from models.array_types import Float32
from models.load import classifier, network, vlm

log = logging.getLogger(__name__)
MODEL, TWIN, ROOT = "phantom", "phantom-vlm", "phantom"
ALL_FINDINGS = (*SEEN_FINDINGS, *UNSEEN_FINDINGS)


def main() -> None:
    """Render what is missing, score it and write the cohort with its thumbnails."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.phantom_cohort", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for rendered films")
    parser.add_argument("--classifier", help="only add this classifier's scores to the existing cohort")
    parser.add_argument("--processes", type=int, default=2, help="number of rendering processes")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    chosen = sample_cases(TEST_SPLIT)
    size = classifier(MODEL, "cpu").card.size
    films = render_pixels(options.run, TEST_SPLIT.name, chosen, size, options.processes)
    if options.classifier:
        add_classifier(Folder(CACHE / COHORT_NAME), options.classifier, [case.film.case for case in chosen], films)
    else:
        pack_cohort(build_cohort(CACHE, chosen, films), options.processes)


def build_cohort(
    place: Path, chosen: Sequence[SampledCase], films: RenderedPixels, model: str = MODEL, twin: str = TWIN
) -> Folder:
    """Write the cohort of these films below `place`, replacing an older one; models are named as in the registry."""
    folder, names = Folder(place / COHORT_NAME), [case.film.case for case in chosen]
    write_table(folder.cases, _cases(chosen))
    write_table(folder.labels, _labels(names, exact_labels(chosen, ALL_FINDINGS)))
    write_table(folder.boxes, _boxes(names, films))
    write_table(folder.appearances, appearance_table(chosen))
    features = add_classifier(folder, model, names, films)
    asker = vlm(twin, "cpu")
    about_twin = scoring_vlm(asker.card, asker.scale)
    embeddings = asker.project(features).astype(np.float16)
    along = read_directions(asker.card, about_twin.findings)[0]
    _write_model(folder, about_twin, names, exact_margins(embeddings, along), embeddings)
    write_manifest(folder.manifest, _manifest(folder, chosen))
    add_report(folder, chosen)
    log.info("%s: %d cases", folder.path, len(chosen))
    return folder


def add_classifier(folder: Folder, model: str, names: Sequence[str], films: RenderedPixels) -> NDArray[np.floating]:
    """Write a classifier's scores for the cohort's films; return its features (n, d)."""
    tower = network(model, "cpu")
    scores, features = tower.score_boxed(
        [torch.from_numpy(film.astype(np.float32) / MAX_PIXEL) for film in films.exact]
    )
    _write_model(folder, scoring_classifier(tower.card), names, scores, features)
    return features


def _cases(chosen: Sequence[SampledCase]) -> pa.Table:
    n, names, patients = len(chosen), [case.film.case for case in chosen], [case.patient for case in chosen]
    return pa.table(
        {
            "case": names,
            "patient": names,
            "study": [None] * n,
            "center": [case.film.center for case in chosen],
            "view": [patient.view for patient in patients],
            "sex": [patient.sex for patient in patients],
            "age": [patient.age for patient in patients],
            "split": [TEST_SPLIT.name] * n,
            "root": [ROOT] * n,
            "file": [case.address for case in chosen],
            "width": [FILM_SIZE] * n,
            "height": [FILM_SIZE] * n,
            # Rounded, as last bits differ between machines.
            "weight": [float(f"{case.weight:.12g}") for case in chosen],
        },
        schema=CASES,
    )


def _labels(names: Sequence[str], labels: Float32) -> pa.Table:
    """Return the label table sorted by finding, because sorted columns compress best."""
    words = np.where(labels.T.ravel() > 0.5, "present", "absent").tolist()
    return pa.table(
        {
            "case": list(names) * len(ALL_FINDINGS),
            "finding": [finding for finding in ALL_FINDINGS for _ in names],
            "label": words,
            "source": [EXACT_SOURCE] * len(words),
        },
        schema=LABEL_ROWS,
    )


def _boxes(names: Sequence[str], films: RenderedPixels) -> pa.Table:
    rows = films.boxes
    sides = dict(zip(("x", "y", "width", "height"), rows[:, 2:].T, strict=True))
    named = {
        "case": [names[int(row)] for row in rows[:, 0]],
        "finding": [ABNORMAL[int(place)] for place in rows[:, 1]],
    }
    return pa.table(named | sides | {"source": ["around the simulator's mask"] * len(rows)}, schema=BOXES)


def _write_model(
    folder: Folder, made: ScoringModel, names: Sequence[str], scores: Float32, features: NDArray[np.floating]
) -> None:
    """Write a model's scores (n, findings), features (n, d) and thresholds."""
    write_table(folder.predictions(made.name) / "part-00000.parquet", predictions_table(names, made.findings, scores))
    write_table(folder.embeddings(made.name) / "part-00000.parquet", features_table(names, features))
    write_table(folder.operating_points(made.name), operating_points(made))
    manifest = replace(_model(made, len(names)), files=listed_scores(folder, made.name))
    write_manifest(folder.model(made.name), manifest)


def _model(made: ScoringModel, scored: int) -> ModelManifest:
    """Return the manifest for these centers, which states that the films differ from the training films."""
    manifest = model_manifest(made, CENTERS, scored, 0)
    films = sum(source.films for source in made.training)
    split = f"test films of patients that the model, trained on {films:,} others, has not seen"
    return replace(manifest, split=split, origins=dict.fromkeys(CENTERS, "internal"))


def _manifest(folder: Folder, chosen: Sequence[SampledCase]) -> Manifest:
    return Manifest(
        name=COHORT_NAME,
        title=f"SIMULATED: {len(chosen):,} films of the phantom, two centers",
        source=(
            "this project's radiograph simulator; labels drawn after PadChest (Bustos et al., 2020), rare findings "
            "enriched: each film's weight is nature's share of it"
        ),
        version=version_of(folder.cases, folder.labels),
        cases=len(chosen),
        labelled=True,
        blank="absent: every film was made with the findings that it has",
        simulated=True,
        masks="simulator",
        roots=(ROOT,),
        counts={"taken": len(chosen)},
        files=listed_cohort(folder),
    )


if __name__ == "__main__":
    main()
