"""Makes the inserted findings of the cohort `phantom`: `python -m explorer.workshop.shipping.phantom_inserted`.

They are SIMULATED findings in films of SIMULATED patients without any, inserted as into real films so that figures are
comparable. A run that was stopped goes on where it stopped.
"""

from __future__ import annotations

import logging
from functools import partial

from explorer.cohorts.images import Images
from explorer.cohorts.inserted_scores import inserted_folder
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.scoring.card_facts import scoring_classifier
from explorer.scoring.healthy_films import healthy_cases
from explorer.scoring.inserted_run import FilmToInsert, read_film, write_inserted
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME
from models.load import classifier

log = logging.getLogger(__name__)
MODELS = ("phantom", "lab-class-aware-masks-1")
FILMS = 120
PART_FILMS = 30


def main() -> None:
    """Score the films by each model, beside the cohort."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cohort, images = Folder(CACHE / COHORT_NAME), Images()
    cases = read_table(cohort.cases, ["case", "root", "file"]).to_pydict()
    places = dict(zip(cases["case"], zip(cases["root"], cases["file"], strict=True), strict=True))
    for name in MODELS:
        model = classifier(name, "cpu")
        films = {
            case: FilmToInsert(partial(read_film, images, *places[case]), model.score)
            for case in healthy_cases(cohort, FILMS)
        }
        split = read_model_manifest(cohort.model(name)).split
        done = write_inserted(
            cohort, inserted_folder(cohort), scoring_classifier(model.card), films, _log_progress, PART_FILMS, split
        )
        log.info("%s: %d films, %d failed", name, done.manifest.scored, len(done.failures))


def _log_progress(done: int, of: int) -> None:
    log.info("%d of %d films", done, of)


if __name__ == "__main__":
    main()
