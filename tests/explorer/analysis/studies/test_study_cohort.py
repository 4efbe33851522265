"""A study cohort by hand: three studies of five films; what it carries over, its renewal, and what is refused."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from explorer.analysis.studies.study_cohort import is_current, make_studies, studies_folder
from explorer.cohorts.chosen_thresholds import (
    ChosenOn,
    ChosenThresholds,
    ThresholdPoint,
    save_thresholds,
    scores_version,
)
from explorer.cohorts.layout import HOME_VARIABLE, Folder, NoCohort
from explorer.cohorts.listing import check_cohort, check_features, check_scores
from explorer.cohorts.manifest import StudiesOf, read_manifest, read_model_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.study_cohorts import NoStudies
from explorer.metrics import auroc, average_precision
from explorer.store.results import Column
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.whole_file import PARTIAL_SUFFIX
from tests.support.brute_force import NAME as RANDOM
from tests.support.brute_force import Rows
from tests.support.random_cohorts import cohorts
from tests.support.sealed import sealed
from tests.support.small_cohort import MODEL, NAME, Film, write_small
from tests.support.wording import Wording

STUDIES = f"{NAME}-studies"
# By hand:      Mass                                Nodule
#   s1   a1 present .3, a2 absent .8   present .8   absent .2, uncertain .4   uncertain .4
#   s2   b1 absent .6, b2 unlabeled    absent .6    absent .1, present        present .1
#   s3   c1 absent .4                  absent .4    absent .7                 absent .7
FILMS = (
    Film("a1", {"Mass": "present", "Nodule": "absent"}, {"Mass": 0.3, "Nodule": 0.2}, "P", "North", "1", "PA", (1, 0)),
    Film(
        "a2",
        {"Mass": "absent", "Nodule": "uncertain"},
        {"Mass": 0.8, "Nodule": 0.4},
        "P",
        "North",
        "1",
        "lateral",
        (2, 0),
    ),
    Film(
        "b1", {"Mass": "absent", "Nodule": "absent"}, {"Mass": 0.6, "Nodule": 0.1}, "Q", "North", "2", "lateral", (3, 0)
    ),
    Film("b2", {"Nodule": "present"}, {}, "Q", "North", "2", "PA"),
    Film("c1", {"Mass": "absent", "Nodule": "absent"}, {"Mass": 0.4, "Nodule": 0.7}, "R", "South", None, "AP", (4, 0)),
)
CUTS = {"Mass": 0.5, "Nodule": 0.5}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path / "cohorts"


@pytest.fixture
def cohort(home: Path) -> Folder:
    return write_small(home, FILMS, CUTS, sha256="ab" * 32, in_sample=["North"])


def made_of(cohort: str = NAME) -> Folder:
    made = studies_folder(cohort)
    assert made is not None
    return made


def column(finding: str, name: str = STUDIES) -> Column:
    with closing(Store()) as store:
        return store.column(Slice(name, MODEL), finding)


def labels(folder: Folder) -> dict[tuple[str, str], str]:
    return {(row["case"], row["finding"]): row["label"] for row in read_table(folder.labels).to_pylist()}


def test_scores_and_labels_of_three_studies_are_those_worked_out_by_hand(cohort: Folder) -> None:
    report = make_studies(cohort)
    assert (report.manifest.cases, report.manifest.labelled, report.models) == (3, True, (MODEL,))
    assert read_table(made_of().cases)["case"].to_pylist() == ["a1", "b1", "c1"]
    mass, nodule = column("Mass"), column("Nodule")
    np.testing.assert_allclose(mass.score, [0.8, 0.6, 0.4], rtol=1e-6)
    np.testing.assert_allclose(nodule.score, [0.4, 0.1, 0.7], rtol=1e-6)
    np.testing.assert_array_equal(mass.label, [1, 0, 0])
    np.testing.assert_array_equal(nodule.label, [np.nan, 1, 0])
    assert labels(made_of())["a1", "Nodule"] == "uncertain"
    assert list(mass.patient) == ["P", "Q", "R"] and list(mass.threshold) == [0.5] * 3


def test_auroc_and_ap_differ_from_those_of_the_films_as_by_hand(cohort: Folder) -> None:
    make_studies(cohort)

    def both(name: str, finding: str) -> tuple[float, float]:
        of = column(finding, name)
        known = ~np.isnan(of.label)
        pairs = of.label[known, None], of.score[known, None].astype(float)
        return float(auroc(*pairs)[0]), float(average_precision(*pairs)[0])

    # films: the only positive of Mass scores lowest of four; studies: highest of three
    assert both(NAME, "Mass") == pytest.approx((0, 1 / 4)) and both(STUDIES, "Mass") == pytest.approx((1, 1))
    # films: the only positive of Nodule was not scored; studies: it scores lowest of two
    assert np.isnan(both(NAME, "Nodule")[0]) and both(STUDIES, "Nodule") == pytest.approx((0, 1 / 2))


def test_the_mean_may_take_the_place_of_the_maximum(cohort: Folder) -> None:
    report = make_studies(cohort, rule="mean")
    np.testing.assert_allclose(column("Mass").score, [0.55, 0.6, 0.4], rtol=1e-6)  # (.3 + .8) / 2; b2 was not scored
    assert report.manifest.studies is not None and report.manifest.studies.rule == "mean"
    again = make_studies(cohort)  # it stays so until another rule is asked for
    assert again.manifest.studies is not None and (again.manifest.studies.rule, again.kept) == ("mean", 1)
    make_studies(cohort, rule="maximum")
    np.testing.assert_allclose(column("Mass").score, [0.8, 0.6, 0.4], rtol=1e-6)


def test_manifests_say_what_it_is_made_from_and_carry_origins_and_weights(cohort: Folder, wording: Wording) -> None:
    make_studies(cohort)
    manifest, model = read_manifest(made_of().manifest), read_model_manifest(made_of().model(MODEL))
    films = read_model_manifest(cohort.model(MODEL))
    assert manifest.studies is not None
    assert replace(manifest.studies, version="") == StudiesOf(NAME, "", "maximum", 5, 2)
    assert (model.scored, model.failed) == (3, 0)
    assert (model.sha256, model.origins, model.split, model.findings) == (
        films.sha256,
        films.origins,
        films.split,
        films.findings,
    )
    wording(manifest.title)
    for check in (check_scores, check_features):
        check(made_of(), MODEL)
    check_cohort(made_of())


def test_features_are_those_of_the_film_that_stands_for_the_study(cohort: Folder) -> None:
    make_studies(cohort)
    with closing(Store()) as store:
        found = store.features(STUDIES, MODEL)
    assert dict(zip(found.cases, found.vectors[:, 0].tolist(), strict=True)) == {"a1": 1, "b1": 3, "c1": 4}


def test_the_order_of_rows_does_not_matter(home: Path, cohort: Folder) -> None:
    make_studies(cohort)
    before = [path.read_bytes() for path in (made_of().cases, made_of().labels)], column("Mass").score
    write_small(home, FILMS[::-1], CUTS, sha256="ab" * 32, in_sample=["North"])
    make_studies(cohort)
    after = [path.read_bytes() for path in (made_of().cases, made_of().labels)], column("Mass").score
    assert before[0] == after[0]
    np.testing.assert_array_equal(before[1], after[1])


def test_thresholds_chosen_on_films_count_for_studies_and_say_so(cohort: Folder, wording: Wording) -> None:
    about = ChosenOn("youden", "", 5, 3, "2026-01-01", scores_version(cohort, MODEL), {}, {})
    save_thresholds(cohort, MODEL, ChosenThresholds((ThresholdPoint("Mass", None, 0.7, "youden"),), about))
    make_studies(cohort)
    np.testing.assert_array_equal(column("Mass").threshold, [0.7] * 3)
    wording(read_model_manifest(made_of().model(MODEL)).thresholds)


@pytest.mark.parametrize("listed", [False, True], ids=["files not listed", "files listed"])
def test_it_is_out_of_date_once_labels_scores_or_thresholds_change(home: Path, cohort: Folder, listed: bool) -> None:
    if listed:
        sealed(cohort)
    make_studies(cohort)
    assert is_current(cohort, made_of(), [MODEL]) and not is_current(cohort, made_of(), ["another"])
    about = ChosenOn("youden", "", 5, 3, "2026-01-01", scores_version(cohort, MODEL), {}, {})
    save_thresholds(cohort, MODEL, ChosenThresholds((ThresholdPoint("Mass", None, 0.7, "youden"),), about))
    assert not is_current(cohort, made_of())
    save_thresholds(cohort, MODEL, None)
    assert is_current(cohort, made_of())
    changed = write_small(home, [replace(FILMS[0], labels={"Mass": "absent"}), *FILMS[1:]], CUTS)
    if listed:
        sealed(changed)
    assert not is_current(cohort, made_of())
    make_studies(cohort)
    assert is_current(cohort, made_of())


def test_a_run_keeps_what_is_up_to_date_and_what_the_user_added(home: Path, cohort: Folder) -> None:
    write_small(home, FILMS, CUTS, model="second")
    assert make_studies(cohort).kept == 0
    (made_of().path / "maps").mkdir()
    (made_of().path / "maps" / "own.parquet").write_bytes(b"a map")
    write_small(
        home,
        [replace(film, scores={name: score / 2 for name, score in film.scores.items()}) for film in FILMS],
        CUTS,
        model="second",
    )
    report = make_studies(cohort)
    assert (report.kept, report.models) == (1, (MODEL, "second"))
    assert (made_of().path / "maps" / "own.parquet").read_bytes() == b"a map"
    np.testing.assert_allclose(column("Mass").score, [0.8, 0.6, 0.4], rtol=1e-6)
    assert make_studies(cohort, ["second"]).models == ("second",) == made_of().models()


def test_an_interrupted_run_leaves_the_old_one_in_place_and_is_resumed(
    home: Path, cohort: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_small(home, FILMS, CUTS, model="second")

    def stop(share: float) -> None:
        if share > 0.65:  # in the second model
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_studies(cohort, on_progress=stop)
    assert studies_folder(NAME) is None and (home / f".{STUDIES}{PARTIAL_SUFFIX}").is_dir()
    assert make_studies(cohort).kept == 1
    assert sorted(path.name for path in home.iterdir()) == [NAME, STUDIES]


def test_an_identifier_used_by_two_patients_is_a_study_for_each(home: Path) -> None:
    films = (*FILMS, Film("d1", {"Mass": "present"}, {"Mass": 0.9, "Nodule": 0.9}, "S", "North", "1"))
    report = make_studies(write_small(home, films, CUTS))
    assert (report.manifest.cases, report.shared) == (4, 1)
    assert column("Mass").score.tolist() == pytest.approx([0.8, 0.6, 0.4, 0.9])


def test_a_study_in_two_splits_is_refused(home: Path, wording: Wording) -> None:
    films = [replace(FILMS[0], split="train"), replace(FILMS[1], split="test"), *FILMS[2:]]
    with pytest.raises(NoStudies) as refused:
        make_studies(write_small(home, films, CUTS))
    wording(str(refused.value))
    assert studies_folder(NAME) is None


def test_splits_that_agree_are_carried_over(home: Path) -> None:
    films = [replace(film, split="train" if film.patient == "P" else "test") for film in FILMS]
    make_studies(write_small(home, films, CUTS))
    assert read_table(made_of().cases)["split"].to_pylist() == ["train", "test", "test"]


def test_what_cannot_be_made_is_refused_with_a_sentence(home: Path, cohort: Folder, wording: Wording) -> None:
    with pytest.raises(NoStudies) as unknown:
        make_studies(cohort, ["another"])
    wording(str(unknown.value))
    make_studies(cohort)
    with pytest.raises(NoStudies) as twice:
        make_studies(made_of())
    wording(str(twice.value))
    write_small(home, FILMS, CUTS, name="other")
    write_small(home, FILMS, CUTS, name="other-studies")
    with pytest.raises(NoStudies) as taken:
        make_studies(Folder(home / "other"))
    wording(str(taken.value))
    with pytest.raises(NoCohort):
        make_studies(write_small(home, FILMS, CUTS, name="n" * 60))


def test_boxes_and_appearances_are_those_of_the_film_that_stands_for_the_study(cohort: Folder) -> None:
    looks = {
        "case": ["a1", "a2"],
        "finding": ["Mass", "Mass"],
        "severity": [0.1, 0.9],
        "side": ["left"] * 2,
        "area": [0.1] * 2,
    }
    write_table(cohort.appearances, pa.table(looks))
    make_studies(cohort)
    assert read_table(made_of().appearances)["severity"].to_pylist() == [0.1]


@pytest.mark.slow
@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(rows=cohorts())
def test_where_each_study_has_one_film_studies_are_the_films(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, rows: Rows
) -> None:
    place = tmp_path_factory.mktemp("studies")
    monkeypatch.setenv(HOME_VARIABLE, str(place))
    films = {row["case"] for row in rows.cases}
    scores = {model: [row for row in those if row["case"] in films] for model, those in rows.scores.items()}
    labels = {(row["case"], row["finding"], row["source"]): row for row in rows.labels}  # one of each source
    folder = replace(rows, scores=scores, labels=list(labels.values())).write(place / "cohorts")
    report = make_studies(folder)
    assert report.manifest.cases == len(rows.cases) and report.manifest.studies and not report.manifest.studies.several
    with closing(Store()) as store:
        for model in report.models:
            for source in (None, *{row["source"] for row in rows.labels}):
                films, studies = (store.grid(name, model, source) for name in (RANDOM, f"{RANDOM}-studies"))
                assert films.findings == studies.findings
                for name in ("label", "score", "called"):
                    np.testing.assert_array_equal(getattr(films, name), getattr(studies, name))
