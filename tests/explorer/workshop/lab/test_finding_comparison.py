"""Which recipe ranks each finding best, by hand, and how many leads are clear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab.finding_comparison import compare_by_finding, finding_table, winners_words
from explorer.workshop.lab.trained import TrainedRecipe
from models.training.lab_recipe import WrongRecipe
from tests.explorer.cli.command import run
from tests.support.few_trained import few_trained
from tests.support.wording import Wording

FINDINGS = SEEN_FINDINGS[:3]
FILMS = 40
LABELS = np.stack([np.arange(FILMS) % step == 0 for step in (2, 4)] + [np.zeros(FILMS)], 1).astype(np.float32)


def trained(recipe: str, right: tuple[int, ...], seed: int = 0) -> TrainedRecipe:
    """A recipe that ranks the findings in `right` perfectly, and all films the same by the others."""
    logits = np.where(np.isin(np.arange(3), right), LABELS, 0).astype(np.float32)
    return few_trained(recipe, seed, FINDINGS, LABELS, logits)


RECIPES = {
    "none": [trained("none", ())],
    "first": [trained("first", (0,)), trained("first", (), 1)],
    "second": [trained("second", (1,))],
}


def test_leads_by_hand() -> None:
    """A perfect ranking has an AUROC of 1, all films alike 0.5; "first" has the mean of both over its seeds."""
    one, two = compare_by_finding(RECIPES, "AUROC", resamples=50)
    assert (one.finding, one.positives, one.best) == (FINDINGS[0], 20, "first"), "the third has no positive film"
    assert one.value == pytest.approx((0.5, 0.5, 0.5))
    assert one.ahead["first"] == pytest.approx((0.25, 0.25, 0.25)) and one.ahead["second"][0] == 0
    assert one.lead == pytest.approx((0.25, 0.25, 0.25)) and one.is_clear
    assert (two.best, two.positives) == ("second", 10) and two.lead[0] == pytest.approx(0.5)


def test_the_table_and_its_words(wording: Wording) -> None:
    figures = compare_by_finding(RECIPES, "AUROC", resamples=50)
    lines = finding_table(figures, "AUROC").splitlines()
    assert len(lines) == 4 and lines[0].startswith("| AUROC | n+ | none | first | second | best |")
    wording(lines[2])
    wording(winners_words(figures))


def test_what_cannot_be_compared_is_refused(wording: Wording) -> None:
    other = few_trained("other", 0, FINDINGS, LABELS, LABELS, [f"other {n}" for n in range(FILMS)])
    fewer = few_trained("fewer", 0, FINDINGS[:2], LABELS[:, :2], LABELS[:, :2])
    never = few_trained("never", 0, FINDINGS, 0 * LABELS, LABELS)
    for recipes in ([], [other], [fewer], [never]):
        first = RECIPES["none"] if recipes != [never] else [never]
        with pytest.raises(WrongRecipe) as refused:
            compare_by_finding({"none": first, **{each.recipe: [each] for each in recipes}}, "AP")
        wording(refused.value)


def test_the_command_compares_shipped_recipes(tmp_path: Path, wording: Wording) -> None:
    done = run("lab", "findings", "bce", "masks")
    assert done.exit_code == 0 and "| Cardiomegaly |" in done.stdout and "masks: best for" in done.stdout
    unknown = run("lab", "findings", "bce", "mask")
    assert unknown.exit_code == 2 and "Did you mean masks?" in unknown.stderr
