"""Publishes a trained recipe as a model of the cohort, so that Explore and Compare show its test scores."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import ModelManifest, Training
from explorer.cohorts.parquet_files import read_table
from explorer.core.in_sample import Origins
from explorer.scoring.card_facts import ScoringModel
from explorer.scoring.score_files import ScoreOrigin
from explorer.workshop.lab.cohort_scores import write_model_scores
from explorer.workshop.lab.thresholds import to_scores, validation_thresholds
from explorer.workshop.lab.trained import TrainedRecipe
from models.radiograph import PREPROCESSING
from models.training.lab_recipe import BASELINE_RECIPE, LabRecipe

RULE_TEMPLATE = "Youden's J on the validation films of {}"


def publish_training(folder: Folder, place: Folder, name: str, recipe: LabRecipe, made: TrainedRecipe) -> ModelManifest:
    """Write the recipe's scores for the cohort `folder` into `place` under the model name `name`.

    Scores of an earlier training are replaced. Raises NoCohort if the cohort has other films.
    """
    unknown = set(made.test.cases.tolist()) - set(read_table(folder.cases, ["case"])["case"].to_pylist())
    if unknown:
        raise NoCohort(
            f"{folder.name} does not have the films that were scored",
            f"{len(unknown):,} of {len(made.test.cases):,} are not among its cases. Train again with this version.",
        )
    where = f"{made.cohort}{_at(recipe.centers)}"
    rule, seen = RULE_TEMPLATE.format(where), f"{made.films:,} films of {where}"
    place_of_work = "" if made.device == "cpu" else f", on {made.device}"
    known = made.validation.at(recipe.centers)
    about = ScoringModel(
        name=name,
        title=f"{recipe.title}, seed {made.seed}: trained in the lab on {seen}{place_of_work}",
        sha256=made.sha256,
        maker=ScoreOrigin(made.sha256, f"film pipeline {PREPROCESSING}, letterbox {made.size} px, 256 levels of gray"),
        findings=made.findings,
        points={finding: (cut, rule) for finding, cut in validation_thresholds(known, made.findings).items()},
        training=(),
    )
    return write_model_scores(
        place,
        about,
        made.test.cases.tolist(),
        to_scores(made.test),
        split=f"test films of patients that the model, trained on {seen}, has not seen",
        origins=_origins(sorted(set(made.test.centers.tolist())), made.centers),
        rule=rule,
        training=training_facts(recipe, made),
    )


def training_facts(recipe: LabRecipe, made: TrainedRecipe) -> Training:
    """Return a training's facts for Evaluate's Recipes panel."""
    return Training(
        recipe=recipe.name,
        baseline=BASELINE_RECIPE,
        seed=made.seed,
        changes=recipe.changes,
        source=recipe.source,
        team=recipe.team,
        films=made.films,
        core_minutes=round(made.cost.seconds / 60, 1),
        parameters=made.cost.parameters,
        milliseconds=round(made.cost.milliseconds, 2),
        system=recipe.system,
    )


def _origins(centers: Sequence[str], trained_on: Sequence[str]) -> Origins:
    """Return the films' origin by center: other patients, or external if the center has no training films."""
    return {center: "internal" if center in trained_on else "external" for center in centers}


def _at(centers: Sequence[str]) -> str:
    return f" at center {' and '.join(centers)}" if centers else ""
