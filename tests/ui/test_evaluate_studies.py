"""The server's side of the switch between films and studies: the study cohort is made, and the address translated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.studies.study_cohort import make_studies
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, Folder
from explorer.cohorts.mark_edits import starring
from explorer.store.store import Store
from explorer.ui.evaluate.study_calls import calls as study_calls
from explorer.ui.shared.links import center_id, cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.visits import MODELS, NAME, visits

BY_STUDY = f"{NAME}-studies"
FILMS = {"cohort": cohort_id(NAME)}


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return visits(tmp_path / "cohorts")


def opened() -> Services:
    store = Store()
    return Services(store, Images(), None, IntervalsJob(store, resamples=20, seed=3))


@pytest.fixture
def services(cohort: Folder) -> Iterator[Services]:
    with closing(opened()) as all_:
        yield all_


@pytest.fixture
def ask(services: Services) -> Ask:
    return asker(services)


def count_by(services: Services, unit: str, state: Json) -> Json:
    """What the switch answers in the end."""
    (call,) = study_calls(services)

    def asked() -> Any:  # noqa: ANN401 - one of several payloads
        return json.loads(json.dumps(call({"state": state, "unit": unit})))

    return until(asked, lambda answer: answer["stage"] != "making")


def test_per_study_makes_the_study_cohort_and_opens_the_same_slice_there(
    services: Services, ask: Ask, wording: Wording
) -> None:
    asked = FILMS | {"center": center_id(NAME, "North"), "models": ".".join(model_id(NAME, each) for each in MODELS)}
    films = ask("board", asked | {"reference": model_id(NAME, "second")})
    assert films["unit"] == {"counted": "film", "offered": True}
    assert films["parts"][0]["films"] == 30  # 20 studies, whose 40 films the second did not all score
    wording(films["title"])
    counted = count_by(services, "study", films["words"] | {"by": "model"})
    assert counted["words"]["center"] == center_id(BY_STUDY, "North") and counted["words"]["by"] == "model"
    assert counted["words"]["reference"] == model_id(BY_STUDY, "second")
    studies = ask("board", counted["words"])
    assert studies["unit"] == {"counted": "study", "offered": True} and not studies["complaints"]
    assert studies["parts"][0]["films"] == 20
    wording(studies["title"])
    wording(studies["notes"][0])
    back = count_by(services, "film", studies["words"] | {"by": "model"})
    assert back["words"] == films["words"] | {"by": "model"}


def test_words_of_panels_are_translated_too(services: Services, ask: Ask) -> None:
    pair = FILMS | {"panel": "pair", "other": model_id(NAME, "second")}
    counted = count_by(services, "study", pair)
    assert (counted["words"]["panel"], counted["words"]["other"]) == ("pair", model_id(BY_STUDY, "second"))
    panel = ask("panel", counted["words"])
    assert panel["notes"][0].startswith("Counted by study") and "40 studies of 20 patients" in panel["title"]
    calibration = ask("panel", counted["words"] | {"panel": "calibration"})
    assert "40 studies of 20 patients" in calibration["title"]


def test_what_selects_single_films_is_left_out_with_a_sentence(services: Services, wording: Wording) -> None:
    services.store.change_marks(NAME, starring(["00-PA"], on=True))
    counted = count_by(services, "study", FILMS | {"marked": "starred"})
    assert "marked" not in counted["words"]
    wording(counted["left_out"])


def test_it_is_made_again_once_out_of_date(cohort: Folder, services: Services, ask: Ask, wording: Wording) -> None:
    make_studies(cohort, ["first"])
    alone = count_by(services, "study", FILMS | {"models": model_id(NAME, "first")})
    assert services.store.model_names(BY_STUDY) == ("first",)  # it has what is compared
    count_by(services, "study", FILMS | {"models": model_id(NAME, "second")})
    assert services.store.model_names(BY_STUDY) == MODELS
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.5}, study="s")]
    write_small(cohort.path.parent, films, {}, name=NAME, model="first")
    services.store.look(NAME)
    (complaint,) = ask("board", alone["words"])["complaints"]
    wording(complaint)


def test_films_without_studies_of_several_films_have_no_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    films = [
        Film(name, {"Mass": label}, {"Mass": 0.5}, study=name) for name, label in (("a", "present"), ("b", "absent"))
    ]
    write_small(tmp_path / "cohorts", films, {}, name="single", model="first")
    with closing(opened()) as all_:
        assert asker(all_)("board", {"cohort": cohort_id("single")})["unit"]["offered"] is False


def test_films_without_studies_are_not_counted_by_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    write_small(tmp_path / "cohorts", [Film("a", {"Mass": "present"}, {"Mass": 0.5})], {}, name="single", model="first")
    with closing(opened()) as all_:
        refused = count_by(all_, "study", {"cohort": cohort_id("single")})
    wording(f"{refused['title']}. {refused['detail']}")
    assert not (tmp_path / "cohorts" / "single-studies").exists()


def test_a_unit_that_does_not_exist_is_refused(services: Services) -> None:
    assert count_by(services, "patient", FILMS)["stage"] == "refused"
