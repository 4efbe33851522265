"""What the server answers about a case's film: the film itself, why there is none, and the maps over it."""

from __future__ import annotations

import base64
import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.analysis.cases.case_maps import map_caveat
from explorer.cohorts.film_source import NoFilm, StoredFilm
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import ModelManifest, read_model_manifest
from explorer.reading.reader import Reader
from explorer.runtime.fair_queue import FairQueue, QueueFull
from explorer.store.store import Ranked, Store
from explorer.ui.explore import case_film
from explorer.ui.explore.case_film import film_answer, maps_answer, missing_film
from models.cards.card import Card
from models.cards.classifier_card import classifier_card
from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.support.wording import Wording
from tests.ui.case_asker import FOLDER, MASS, MODEL, Ask, asker


@pytest.fixture(scope="module")
def store() -> Store:
    return Store(lambda: [FOLDER])


@pytest.fixture(scope="module")
def made() -> ModelManifest:
    return read_model_manifest(FOLDER.model(MODEL))


@pytest.fixture
def ask(store: Store) -> Ask:
    """Without any image."""
    return asker(store, Images({}, cohorts=list))


@pytest.fixture
def ask_with_films(store: Store, shared: Path) -> Ask:
    return asker(store, Images({"nih": shared / "data" / "nih_cxr14"}))


@pytest.fixture(scope="module")
def misses(store: Store) -> tuple[Ranked, ...]:
    return store.page(MASS)


class Loaded:
    """A model that is there and would read no film here."""

    loading = False

    def __init__(self, about: Card) -> None:
        self.card = about

    def __call__(self) -> Any:  # noqa: ANN401
        return self


def test_the_film_is_decoded_and_takes_its_view_from_the_cohort(
    ask_with_films: Ask, misses: tuple[Ranked, ...]
) -> None:
    answer = ask_with_films("case_film", misses[0].id)
    assert answer["stage"] == "film"
    assert answer["film"]["view"] == misses[0].view
    assert answer["film"]["image"].startswith("data:image/png;base64,")


def test_without_images_the_answer_says_how_to_give_them_and_no_name(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    answer = ask("case_film", misses[0].id)
    assert (answer["stage"], answer["command"]) == ("no film", 'make run ARGS="--images nih=DIR"')
    assert misses[0].case not in json.dumps(answer)  # a name may tell what is hidden
    assert ask("case_maps", misses[0].id)["stage"] == "refused"


def test_a_folder_without_the_film_and_a_case_without_an_image_are_told_apart() -> None:
    assert "is not in it" in missing_film("own", "own", given=True)["detail"]
    assert "made elsewhere" in missing_film("own", None, given=False)["detail"]


def test_a_film_that_is_gone_too_large_or_no_film_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoFilm, match="cannot be read"):
        film_answer(StoredFilm(tmp_path / "gone.png"), "PA")
    letter = tmp_path / "letter.png"
    letter.write_text("Dear colleague, thank you. " * 40)
    with pytest.raises(UnreadableRadiograph):
        film_answer(StoredFilm(letter), "PA")
    monkeypatch.setattr(case_film, "MAX_UPLOAD_MB", 0)
    with pytest.raises(NoFilm, match="too large"):
        film_answer(StoredFilm(letter), "PA")


def test_no_more_films_are_decoded_at_once_than_stand_in_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_film, "DECODERS", FairQueue(longest=0))
    with pytest.raises(QueueFull):
        film_answer(StoredFilm(tmp_path / "film.png"), "PA")


@pytest.mark.parametrize(
    ("about", "made_with", "why"),
    [
        pytest.param({"name": "other"}, {}, "started with other", id="another model"),
        pytest.param({"sha256": "0" * 64}, {}, "not those that scored", id="other weights"),
        pytest.param({}, {"sha256": None}, "It is unknown", id="weights that nobody knows"),
    ],
)
def test_maps_are_only_by_the_model_that_made_the_scores(
    made: ModelManifest, about: dict[str, str], made_with: dict[str, None], why: str, tmp_path: Path
) -> None:
    reader = Reader(Loaded(replace(classifier_card(MODEL), **about)))  # type: ignore[arg-type]
    answer = maps_answer(StoredFilm(tmp_path / "never read"), reader, replace(made, **made_with), "NIH")
    assert answer["stage"] == "no maps"
    assert why in answer["detail"]
    assert maps_answer(StoredFilm(tmp_path / "never read"), None, made, "NIH")["stage"] == "no maps"


@pytest.fixture(scope="module")
def reader() -> Reader:
    from explorer.reading.model_loader import BackgroundModel
    from models.load import classifier

    model = BackgroundModel(MODEL, functools.partial(classifier, MODEL, "cpu"))
    model.start()
    return Reader(model)


def test_the_map_says_that_it_is_in_sample_and_has_the_models_own_scores(
    store: Store, shared: Path, reader: Reader, misses: tuple[Ranked, ...], wording: Wording
) -> None:
    images = Images({"nih": shared / "data" / "nih_cxr14"})
    answer = asker(store, images, reader)("case_maps", misses[0].id)
    assert answer["stage"] == "opinion"
    assert "out of fold" in answer["honest"]
    assert "in-sample" in answer["honest"]
    wording(answer["honest"])
    path = images.path(misses[0].root, misses[0].file)
    assert path
    own = {row.finding: row.score for row in reader.read(read_radiograph(path.read_bytes())).rows}
    assert {row["finding"]: row["score"] for row in answer["rows"]} == pytest.approx(own, abs=1e-6)


def test_the_map_of_one_finding_is_that_of_all(
    store: Store, shared: Path, reader: Reader, misses: tuple[Ranked, ...]
) -> None:
    call = asker(store, Images({"nih": shared / "data" / "nih_cxr14"}), reader)
    every, one = call("case_maps", misses[0].id), call("case_maps", misses[0].id, findings=["Effusion", "Edema"])
    assert one["heat"]["findings"] == ["Edema"]  # what the model does not look for has no map
    assert len(every["heat"]["findings"]) == len(reader.card.findings) == len(one["rows"])
    maps, alone = (np.frombuffer(base64.b64decode(each["heat"]["maps"]), "<f4") for each in (every, one))
    place = every["heat"]["findings"].index("Edema")
    np.testing.assert_allclose(maps.reshape(len(one["rows"]), -1)[place], alone, rtol=1e-4, atol=1e-6)
    assert call("case_maps", misses[0].id, findings=["Goiter"])["stage"] == "no maps"


@pytest.mark.parametrize(
    ("split", "center", "words"),
    [
        ("out of fold: five models", "NIH", "trained on this film (in-sample)"),
        ("out of fold: five models", "Elsewhere", "trained on other films"),
        ("", "NIH", "The film is internal: films of other patients"),
        ("", "Elsewhere", "which made the listed scores"),
    ],
)
def test_what_a_map_is_to_be_believed(made: ModelManifest, split: str, center: str, words: str) -> None:
    assert words in map_caveat(classifier_card(MODEL), replace(made, split=split), center)
