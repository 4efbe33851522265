"""Ask the phantom's unseen findings in several ways: `python -m explorer.lab.zero_shot --run RUN`.

Films are rendered into RUN where they are not there. Each way becomes a model of the shipped cohort `phantom`;
`python -m explorer lab zero-shot` compares them.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.asking.answer_threshold import HALF
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.lab.zero_shot.proxy import ASKED, ROUNDS, Tower, choose, likeness, margins
from explorer.lab.zero_shot.ways import (
    dual_branch,
    every_word,
    from_seen,
    name_alone,
    prototype_scores,
    standardized,
)
from explorer.phantom.cohort_sampling import SEEN, TEST, TRAINING, UNSEEN, VALIDATION, Split, cases
from explorer.phantom.request import CENTERS, NORMAL
from explorer.scoring.card_facts import About, model_manifest, operating_points
from explorer.scoring.score_files import Maker, predictions_table
from explorer.shipped.training.dataset import exact_labels, noted_labels
from explorer.shipped.training.pixels import pixels
from explorer.shipped.training.place import SHIPPED
from explorer.shipped.training.scored import scored
from explorer.shipped.training.vlm import ShippedTextTower
from models.cards.known_file import sha256_of
from models.load import vlm
from models.prompts.standard import standard_prompts
from models.radiograph import PREPROCESSING
from models.training.recipe import Recipe
from models.training.vlm.blind import head
from models.training.vlm.captions import TEMPLATES
from models.training.vlm.lit import calibrate
from models.training.vlm.spoken import spoken

log = logging.getLogger(__name__)
Floats = NDArray[np.floating]
TOWER = SHIPPED.weights / "phantom.safetensors"


def main() -> None:
    """Score and write every way."""
    parser = argparse.ArgumentParser(prog="python -m explorer.lab.zero_shot", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder that keeps the rendered films")
    parser.add_argument("--processes", type=int, default=2, help="that render")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    validation = _tower(options.run, VALIDATION, options.processes)
    test = replace(_tower(options.run, TEST, options.processes), known=validation.known)
    for name, title, said in ways(validation, test):
        publish(Folder(CACHE / "phantom"), name, title, [case.film.case for case in cases(TEST)], said)


def ways(validation: Tower, test: Tower) -> list[tuple[str, str, Floats]]:
    """Name, title and scores (n, UNSEEN) of each way on the test films; nothing is chosen on them."""
    model = vlm("phantom-vlm", "cpu")
    texts = spoken(ShippedTextTower(), noted_labels(cases(TRAINING)), SEEN)
    asked = model.directions([standard_prompts(TEMPLATES)[finding] for finding in (*SEEN, *UNSEEN)])
    seen, unseen = asked[: len(SEEN)], asked[len(SEEN) :]
    labels = exact_labels(cases(VALIDATION), SEEN)
    chosen = choose(validation, labels, texts.directions, seen, SEEN.index(NORMAL))
    log.info("chosen on seen findings asked as if unseen: %s", chosen)
    solved = validation.solved(texts.directions(range(len(SEEN))))

    def said(of: Tower, along: NDArray[np.float32]) -> Floats:
        return margins(solved, of.features, along)

    sure = said(validation, unseen)
    text = standardized(said(test, unseen), sure)
    like = likeness(unseen, seen)
    known, branch = (from_seen(each.evidence(), like, chosen.temperature) for each in (validation, test))
    alone = said(test, model.directions([name_alone(finding) for finding in UNSEEN]))
    words = said(test, model.directions([every_word(finding, TEMPLATES) for finding in UNSEEN]))
    dual = dual_branch(text, standardized(branch, known), chosen.share)
    prototypes = prototype_scores(test.features, validation.features, sure, chosen.most)
    share = f"share {chosen.share:g}, temperature {chosen.temperature:g}"
    how = f"{share}, chosen on {ROUNDS} draws of {ASKED} seen findings"
    return [
        ("zero-shot-name", "the name alone, one pair of prompts", expit(model.scale * alone)),
        ("zero-shot-words", "every word for the finding in every template", expit(model.scale * words)),
        ("zero-shot-dual", f"prompts and a branch of the seen findings ({how})", expit(dual)),
        (
            "zero-shot-prototypes",
            f"likeness to the {chosen.most} validation films that the words are surest of",
            expit(4 * prototypes),
        ),
    ]


def publish(cohort: Folder, name: str, title: str, names: Sequence[str], said: Floats) -> None:
    """Write a way as a model of the cohort, with scores of the unseen findings alone."""
    cohort.model(name).unlink(missing_ok=True)  # it is written last: what is half written is no model
    table = predictions_table(list(names), UNSEEN, said.astype(np.float32))
    write_table(cohort.predictions(name) / "part-00000.parquet", table)
    sha256 = sha256_of(TOWER)
    about = About(
        name=name,
        title=f"Zero-shot on the tower of phantom: {title}",
        sha256=sha256,
        maker=Maker(sha256, f"film pipeline {PREPROCESSING}, letterbox {Recipe().size} px"),
        findings=UNSEEN,
        points={finding: (0.5, HALF) for finding in UNSEEN},
        training=(),
    )
    write_table(cohort.operating_points(name), operating_points(about))
    split = "test films of patients that the tower has not seen; no label or caption of its training names the findings"
    made = replace(
        model_manifest(about, CENTERS, len(names), 0),
        split=split,
        origins=dict.fromkeys(CENTERS, "internal"),
        thresholds=HALF,
        files=listed_scores(cohort, name),
    )
    write_manifest(cohort.model(name), made)


def _tower(run: Path, split: Split, processes: int) -> Tower:
    """The shipped classifier on the films of a split, calibrated on their own labels."""
    drawn = cases(split)
    found = scored(TOWER, pixels(run, split.name, drawn, Recipe().size, processes).exact, Recipe())
    weight, bias = (each.astype(np.float32) for each in head(TOWER, len(SEEN)))
    return Tower(found.features, found.logits, weight, bias, calibrate(exact_labels(drawn, SEEN), found.logits))


if __name__ == "__main__":
    main()
