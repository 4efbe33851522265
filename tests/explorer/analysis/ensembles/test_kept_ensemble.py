"""A kept ensemble is a model like any other: scores, thresholds, origins, where its files are; and it goes again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from explorer.analysis.ensembles.ensemble import MEAN_KINDS, MeanKind, ensemble_scores
from explorer.analysis.ensembles.kept_ensemble import (
    CROSS_FITTED_RULE,
    IN_SAMPLE_RULE,
    EnsembleRefused,
    delete_ensemble,
    keep_ensemble,
    kept_ensembles,
)
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.cohorts.layout import CACHE, HOME_VARIABLE, Folder, NoCohort, cohort_folder
from explorer.cohorts.listing import check_cohort, check_scores
from explorer.cohorts.manifest import ModelManifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import CASES
from explorer.core.in_sample import Origins
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.statistics import youden_threshold
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME
from tests.support.wording import Wording

CHOSEN = Slice(NAME, MODELS[0])


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return write_several(tmp_path / "cohorts", 7, 90).folder


@pytest.fixture
def store(cohort: Folder) -> Iterator[Store]:
    with closing(Store()) as opened:
        yield opened


def rows(store: Store, models: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """The scores of the last of the models, by case and finding."""
    grid = store.grid(NAME, models[-1])
    cases = list(store.patients(NAME))
    there = np.argwhere(~np.isnan(grid.score))
    return {(cases[film], grid.findings[place]): float(grid.score[film, place]) for film, place in there}


@pytest.mark.parametrize("mean", MEAN_KINDS)
def test_it_has_the_scores_that_the_panel_shows(store: Store, cohort: Folder, mean: MeanKind) -> None:
    made = keep_ensemble(store, cohort, MODELS, mean, "kept")
    shown = ensemble_scores(store, CHOSEN, MODELS, mean)
    own = joint_scores(store, CHOSEN, (*MODELS, "kept"))
    assert np.array_equal(own.scores[-1], shown.scores[0])
    assert (made.scored, made.scored + made.failed) == (len(shown.labels), 90) and made.failed > 0
    assert made.findings == shown.findings and len(rows(store, ("kept",))) == shown.scores.size


def test_its_files_are_listed_and_its_title_names_its_members(store: Store, cohort: Folder, wording: Wording) -> None:
    made = keep_ensemble(store, cohort, MODELS, "logits", "kept")
    check_cohort(cohort)
    check_scores(cohort, "kept")
    wording(made.title, "one, two and three", "equal")
    assert read_model_manifest(cohort.model("kept")) == made and made.unit == "score"
    assert kept_ensembles(cohort) == ("kept",) and "kept" in [each.model for each in store.models(NAME)]


def test_without_splits_thresholds_are_youdens_on_these_very_films_and_say_so(store: Store, cohort: Folder) -> None:
    made = keep_ensemble(store, cohort, MODELS, "scores", "kept")
    assert made.thresholds == IN_SAMPLE_RULE
    joint = ensemble_scores(store, CHOSEN, MODELS, "scores")
    points = {row["finding"]: row for row in read_table(cohort.operating_points("kept")).to_pylist()}
    assert "Hernia" not in points and points, "no film has it: no threshold"
    for finding, row in points.items():
        place = joint.findings.index(finding)
        known = ~np.isnan(joint.labels[:, place])
        scores = joint.scores[0, known, place].astype(np.float64)
        wanted = youden_threshold(joint.labels[known, place] == 1, scores)
        assert (row["split"], row["rule"]) == (None, IN_SAMPLE_RULE)
        assert np.array_equal(scores >= row["threshold"], scores >= wanted)


def split_up(cohort: Folder, parts: int) -> None:
    """Give the cases splits."""
    table = read_table(cohort.cases)
    splits = pa.array([f"fold {row % parts}" for row in range(len(table))])
    place = table.schema.get_field_index("split")
    write_table(cohort.cases, table.set_column(place, "split", splits).cast(CASES))


def test_with_splits_a_threshold_is_chosen_on_the_films_of_the_others(store: Store, cohort: Folder) -> None:
    split_up(cohort, 3)
    assert keep_ensemble(store, cohort, MODELS, "scores", "kept").thresholds == CROSS_FITTED_RULE
    joint = ensemble_scores(store, CHOSEN, MODELS, "scores")
    table = read_table(cohort.cases, ["case", "split"]).to_pydict()
    of = dict(zip(table["case"], table["split"], strict=True))
    grid = store.grid(NAME, "kept")
    cases = [case for case, row in zip(store.patients(NAME), grid.score, strict=True) if not np.isnan(row).any()]
    splits = np.array([of[case] for case in cases])
    points = read_table(cohort.operating_points("kept")).to_pylist()
    assert {row["split"] for row in points} == {"fold 0", "fold 1", "fold 2"}
    for row in points:
        place = joint.findings.index(row["finding"])
        others = (splits != row["split"]) & ~np.isnan(joint.labels[:, place])
        scores = joint.scores[0, :, place].astype(np.float64)
        wanted = youden_threshold(joint.labels[others, place] == 1, scores[others])
        assert np.array_equal(scores[others] >= row["threshold"], scores[others] >= wanted)


def say(cohort: Folder, model: str, split: str, origins: Origins) -> ModelManifest:
    """Let the model's manifest say how its training and the films are apart."""
    said = replace(read_model_manifest(cohort.model(model)), split=split, origins=origins)
    write_manifest(cohort.model(model), said)
    return said


def test_origins_are_the_worst_of_any_member(store: Store, cohort: Folder) -> None:
    say(cohort, "one", "a", {"North": "external", "South": "internal"})
    say(cohort, "two", "b", {"North": "in-sample", "South": "external"})
    made = keep_ensemble(store, cohort, ("one", "two"), "scores", "kept")
    assert made.origins == {"North": "in-sample", "South": "internal"}
    assert made.split == "one: a; two: b" and not made.out_of_fold
    say(cohort, "three", "c", {"North": "external"})
    more = keep_ensemble(store, cohort, MODELS, "scores", "more")
    assert more.origins == {"North": "in-sample"}, "nothing is known of three and South"


def test_it_is_out_of_fold_where_every_member_is(store: Store, cohort: Folder) -> None:
    for model in ("one", "two"):
        say(cohort, model, f"out of fold, {model}", {})
    assert keep_ensemble(store, cohort, ("one", "two"), "scores", "kept").out_of_fold
    assert not keep_ensemble(store, cohort, MODELS, "scores", "more").out_of_fold


@pytest.mark.parametrize(
    ("models", "name", "says"),
    [
        (("one",), "kept", "needs two"),
        (("one", "one"), "kept", "needs two"),
        (("one", "two", "one"), "kept", "named twice"),
        (("one", "two"), "three", "model three"),
        (("one", "nobody"), "kept", "'nobody' has not scored"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(
    store: Store, cohort: Folder, models: tuple[str, ...], name: str, says: str, wording: Wording
) -> None:
    before = {path: path.read_bytes() for path in cohort.path.rglob("*") if path.is_file()}
    with pytest.raises(EnsembleRefused, match=says) as caught:
        keep_ensemble(store, cohort, models, "scores", name)
    wording(caught.value)
    assert {path: path.read_bytes() for path in cohort.path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["", "../up", "Upper", "a/b", ".hidden", "a" * 64, "two words", "name\n"])
def test_a_name_that_no_folder_can_have_is_refused(store: Store, cohort: Folder, name: str) -> None:
    with pytest.raises(NoCohort, match="not a valid name"):
        keep_ensemble(store, cohort, ("one", "two"), "scores", name)


def test_scores_that_a_model_has_begun_are_not_written_over(store: Store, cohort: Folder, wording: Wording) -> None:
    begun = cohort.predictions("kept") / "part-00000.parquet"
    write_table(begun, read_table(cohort.predictions("one") / "part-00000.parquet"))
    held = begun.read_bytes()
    with pytest.raises(EnsembleRefused) as refused:
        keep_ensemble(store, cohort, ("one", "two"), "scores", "kept")
    wording(refused.value, "kept")
    assert begun.read_bytes() == held


def test_deleting_leaves_nothing_and_the_name_is_free_again(store: Store, cohort: Folder) -> None:
    before = sorted(path for path in cohort.path.rglob("*") if path.is_file())
    keep_ensemble(store, cohort, ("one", "two"), "scores", "kept")
    delete_ensemble(cohort, "kept")
    assert sorted(path for path in cohort.path.rglob("*") if path.is_file()) == before
    assert keep_ensemble(store, cohort, ("one", "two"), "ranks", "kept").title.startswith("Mean of ranks")


@pytest.mark.parametrize("name", ["one", "nobody"])
def test_only_an_ensemble_is_deleted(cohort: Folder, name: str) -> None:
    with pytest.raises(EnsembleRefused, match="has no ensemble"):
        delete_ensemble(cohort, name)
    assert cohort.models() == tuple(sorted(MODELS))


def test_of_a_shipped_cohort_it_is_beside_it_and_never_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    shipped = cohort_folder("nih-oof")
    before = sorted(path for path in (CACHE / "nih-oof").rglob("*"))
    with closing(Store()) as store:
        made = keep_ensemble(store, shipped, ("nih-mini", "nih-mini-vlm"), "logits", "pair")
        assert made.out_of_fold and made.thresholds == CROSS_FITTED_RULE
        assert made.scored == 1650 and "pair" in [each.model for each in store.models("nih-oof")]
    assert sorted(path for path in (CACHE / "nih-oof").rglob("*")) == before
    assert (tmp_path / "cohorts" / "nih-oof" / "models" / "pair.json").is_file()
    delete_ensemble(shipped, "pair")
    assert "pair" not in shipped.models()
