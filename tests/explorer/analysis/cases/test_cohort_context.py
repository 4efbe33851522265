from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from explorer.analysis.cases.cohort_context import (
    CohortContext,
    NoComparableCohort,
    cohort_context,
    films_to_compare,
    is_far,
)
from explorer.analysis.cases.comparable_cohorts import comparable_cohorts
from explorer.cohorts.layout import CACHE, Folder, cohort_folders
from explorer.core.findings import frequency_group
from explorer.core.rates import PatientSums, Rate
from explorer.metrics.clustered_rates import clustered_rate
from explorer.metrics.patient_ids import patient_numbers
from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.store.results import ScoredAlike
from explorer.store.store import Store
from models.cards.card import Card
from models.cards.classifier_card import classifier_card
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording

SHIPPED = Folder(CACHE / "nih-oof")


@pytest.fixture(scope="module")
def shipped() -> Card:
    return classifier_card("nih-mini")


def rows(about: Card) -> tuple[FindingRow, ...]:
    return finding_rows(about, np.full(len(about.findings), 0.4, dtype=np.float32))


def features_of(case: str) -> NDArray[np.float32]:
    embeddings = pd.read_parquet(SHIPPED.embeddings("nih-mini")).set_index("case").features
    return np.frombuffer(embeddings[case], "<f2").astype(np.float32)


@pytest.fixture(scope="module")
def joined(shipped: Card) -> CohortContext:
    return cohort_context(loaded_store(), shipped, rows(shipped), features_of("00000150_002"))


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """Every (film, finding) pair of the shipped cohort with what became of it, without Tailscope's own code."""
    found = pd.read_parquet(SHIPPED.labels).merge(
        pd.read_parquet(SHIPPED.predictions("nih-mini")), on=["case", "finding"]
    )
    cases = pd.read_parquet(SHIPPED.cases)[["case", "split", "patient"]].astype(str)
    cuts = pd.read_parquet(SHIPPED.operating_points("nih-mini"))[["finding", "split", "threshold"]]
    found = found.merge(cases, on="case").merge(cuts.astype({"split": str, "finding": str}), on=["finding", "split"])
    called = found.score.astype(float) >= found.threshold
    present = found.label == "present"
    return found.assign(present=present, missed=present & ~called, false=~present & called)


def test_the_numbers_are_those_of_an_independent_count(joined: CohortContext, pairs: pd.DataFrame) -> None:
    assert len(joined.findings) == 15
    for finding, behind in joined.findings.items():
        of = pairs[pairs.finding == finding]
        patients = patient_numbers(of.patient)
        for found, wrong, there in (
            (behind.overall.missed, of.missed, of.present),
            (behind.overall.called, of.false, ~of.present),
        ):
            expected = clustered_rate(wrong[there].to_numpy(), patients[there])
            assert (found.hits, found.n) == (expected.hits, expected.n)
            assert found.interval == pytest.approx(expected.interval)
        (center,) = behind.centers
        assert (center.name, center.origin, center.wrong) == ("NIH", "internal", behind.overall)


def test_films_with_such_scores_are_those_of_an_independent_count(joined: CohortContext, pairs: pd.DataFrame) -> None:
    for finding, behind in joined.findings.items():
        of = pairs[pairs.finding == finding]
        high, low = of[of.score >= np.float32(0.4)], of[of.score <= np.float32(0.4)]
        counted = (
            clustered_rate(those.present.to_numpy(), patient_numbers(those.patient)) for those in (high, low, of)
        )
        assert (behind.such.as_high, behind.such.as_low, behind.such.labeled) == tuple(counted)
    assert any(behind.such.as_high.hits for behind in joined.findings.values())


def test_a_film_with_just_that_score_is_both_as_high_and_as_low(tmp_path: Path) -> None:
    labels = {"a": "present", "b": "absent", "c": "uncertain"}
    scores = {"a": 0.5, "b": 0.25, "c": 0.9}
    films = [Film(case, {"Mass": labels[case]}, {"Mass": scores[case]}) for case in labels]
    found = store_of(write_small(tmp_path, films, {"Mass": 0.3})).scored_alike(NAME, MODEL, {"Mass": 0.5, "Nodule": 1})
    assert found == {"Mass": ScoredAlike(PatientSums(1, 0, 1, 0, 0, 1), *[PatientSums(1, 1, 1, 0, 1, 2)] * 2)}


def test_a_group_counts_the_pairs_of_all_its_findings(joined: CohortContext, pairs: pd.DataFrame) -> None:
    behind = joined.findings["Emphysema"].group
    assert behind is not None and behind.group == frequency_group("Emphysema", "paper")
    assert set(behind.findings) == {"Emphysema", "Pneumothorax"}
    of = pairs[pairs.finding.isin(behind.findings)]
    missed, called = behind.wrong.missed, behind.wrong.called
    assert (missed.hits, missed.n) == (int(of.missed.sum()), int(of.present.sum()))
    assert (called.hits, called.n) == (int(of.false.sum()), int((~of.present).sum()))
    each = [joined.findings[finding].overall.missed.independent for finding in behind.findings]
    assert missed.independent == pytest.approx(sum(each)) and sum(each) < missed.n
    assert joined.findings["Normal"].group is None  # it would be the finding alone


def test_the_nearest_cases_are_those_of_brute_force(joined: CohortContext) -> None:
    embeddings = pd.read_parquet(SHIPPED.embeddings("nih-mini"))
    vectors = np.stack([np.frombuffer(blob, "<f2") for blob in embeddings.features]).astype(np.float64)
    film = features_of("00000150_002").astype(np.float64)
    apart = 1 - vectors @ film / np.linalg.norm(vectors, axis=1) / np.linalg.norm(film)
    nearest = np.argsort(apart)[:6]
    assert [each.near.case for each in joined.similar] == embeddings.case.iloc[nearest].tolist()
    assert [each.near.distance for each in joined.similar] == pytest.approx(apart[nearest], abs=1e-5)
    assert joined.copy and not joined.far
    assert joined.similar[0].line.present and joined.similar[0].scored["Mass"].score > 0


def test_a_film_unlike_all_of_the_cohort_is_far(shipped: Card) -> None:
    noise = np.random.default_rng(0).random(1280).astype(np.float32)
    found = cohort_context(loaded_store(), shipped, rows(shipped), noise)
    assert found.far and not found.copy
    assert found.similar[0].near.closer.hits == 0


@pytest.mark.parametrize("far", [False, True])
def test_it_is_far_without_the_rest_of_the_join_too(shipped: Card, far: bool) -> None:
    noise = np.random.default_rng(0).random(1280).astype(np.float32)
    films = films_to_compare(loaded_store(), shipped)
    assert films is not None and is_far(films.of_film(noise if far else features_of("00000150_002"), 1)) is far
    assert films.measured and films_to_compare(loaded_store(), replace(shipped, sha256="0" * 64)) is None


def test_of_a_few_films_nobody_can_tell_what_is_far(shipped: Card, tmp_path: Path) -> None:
    films = [Film(f"{n}", {}, {"Mass": 0.1}, features=[1.0 + n, *[0.0] * 1279]) for n in range(99)]
    own = write_small(tmp_path, films, {}, model="nih-mini", sha256=shipped.sha256)
    found = cohort_context(store_of(own), shipped, rows(shipped), np.linspace(-1, 1, 1280, dtype=np.float32))
    assert not found.far and found.similar[0].near.closer == Rate(0, 99)


def test_another_model_is_not_compared(shipped: Card) -> None:
    for other in (replace(shipped, name="another"), replace(shipped, sha256="0" * 64)):
        assert comparable_cohorts(loaded_store(), other) == ()
        with pytest.raises(NoComparableCohort) as refusal:
            cohort_context(loaded_store(), other, rows(shipped), features_of("00000150_002"))
        assert "cannot be compared" in refusal.value.title and "nih-oof" in refusal.value.detail
    assert "other weights" in refusal.value.detail


def test_of_many_models_the_one_of_the_same_name_is_named(wording: Wording) -> None:
    other = replace(classifier_card("phantom"), sha256="0" * 64)
    with pytest.raises(NoComparableCohort) as caught:
        cohort_context(loaded_store(), other, (), features_of("00000150_002"))
    wording(caught.value, "phantom", "more")


def test_scores_of_unknown_weights_are_no_comparison(shipped: Card, tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.9}, features=[1.0] * 1280)]
    folder = write_small(tmp_path, films, {"Mass": 0.5}, model="nih-mini")
    assert comparable_cohorts(store_of(folder), shipped) == ()


def test_an_own_cohort_can_be_chosen_and_tells_its_centers(shipped: Card, tmp_path: Path) -> None:
    films = [
        Film("a", {"Mass": "present"}, {"Mass": 0.1}, center="A", features=[1.0] * 1280),
        Film("b", {"Mass": "absent"}, {"Mass": 0.9}, center="B", features=[1.0] * 1280),
        Film("c", {}, {"Mass": 0.9}, center="C", features=[1.0] * 1280),
    ]
    own = write_small(
        tmp_path, films, {"Mass": 0.5}, name="own", model="nih-mini", sha256=shipped.sha256, in_sample=["B"]
    )
    store = Store(lambda: [*cohort_folders(), own])
    assert [each.name for each in comparable_cohorts(store, shipped)] == ["nih-oof", "own"]
    assert cohort_context(store, shipped, rows(shipped), np.ones(1280, dtype=np.float32)).cohort.name == "nih-oof"
    found = cohort_context(store, shipped, rows(shipped), np.ones(1280, dtype=np.float32), "own")
    assert set(found.findings) == {"Mass"}
    at = {each.name: (each.wrong.missed, each.wrong.called, each.origin) for each in found.findings["Mass"].centers}
    assert at == {
        "A": (Rate(1, 1), Rate(0, 0), None),
        "B": (Rate(0, 0), Rate(1, 1), "in-sample"),
        "C": (Rate(0, 0), Rate(0, 0), None),
    }


def test_a_cohort_without_features_has_rates_but_no_neighbors(shipped: Card, tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.1})]
    own = write_small(tmp_path, films, {"Mass": 0.5}, model="nih-mini", sha256=shipped.sha256)
    found = cohort_context(store_of(own), shipped, rows(shipped), np.ones(1280, dtype=np.float32))
    assert found.similar == () and not found.far and not found.copy
    assert found.findings["Mass"].overall.missed == Rate(1, 1)
