"""The server's side of Evaluate: the board at once and with intervals, what an address means, files, refusals."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.mark_edits import starring
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.evaluate.calls import calls
from explorer.ui.evaluate.payload import evaluate_choices
from explorer.ui.evaluate.subject import Subject, subject_of, subject_words
from explorer.ui.shared.links import center_id, cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, Film, write_small
from tests.support.wording import Wording
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker

PHANTOM = Folder(CACHE / "phantom")
WORDS = {"cohort": cohort_id(NAME)}
LONE = {"cohort": cohort_id("lone")}
BLANK = {"cohort": cohort_id("blank")}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    place = tmp_path_factory.mktemp("cohorts")
    made = write_several(place, 11, 60)
    films = [Film(str(n), {"Mass": ("present", "absent")[n % 2]}, {"Mass": n / 10}) for n in range(8)]
    lone = write_small(place, films, {}, name="lone", model="only")
    blank = write_small(place, [Film("a", {}, {"Mass": 0.5})], {}, name="blank", model="only")
    store = Store(lambda: (made.folder, lone, blank, PHANTOM))
    with closing(IntervalsJob(store, resamples=50, seed=3)) as job:
        yield Services(store, Images(), None, job)


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return asker(services)


def whole(ask: Ask, state: Json) -> Json:
    """The board with its intervals."""
    until(lambda: ask("board", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("board", state)


def ids(*models: str) -> str:
    return ".".join(model_id(NAME, model) for model in models)


@pytest.mark.parametrize("metric", ["ap", "auroc", "f1", "ece", "precision", "recall"])
def test_points_and_intervals_are_those_of_the_analysis(ask: Ask, services: Services, metric: str) -> None:
    state = WORDS | {"metric": metric, "reference": model_id(NAME, "two"), "models": ids(*MODELS)}
    found, store, models = whole(ask, state), services.store, tuple(sorted(MODELS))
    chosen = Slice(NAME, models[0])
    board = board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), 50, 3, False)
    measure = next(each for each in ("AP", "AUROC", "F1", "ECE", "precision", "recall") if each.lower() == metric)
    assert [row["name"] for row in found["rows"]] == list(models) and not found["computing"]
    for place in range(len(board.parts)):
        means, less = board.means[place, measure], board.against(place, measure, models.index("two"))  # type: ignore[index, arg-type]
        order = board.order(place, measure)  # type: ignore[arg-type]
        for model, row in enumerate(found["rows"]):
            figure, difference = row["figures"][place], row["compared"]["difference"][place]
            reach = means.interval(model) or (None, None)
            assert (figure["low"], figure["high"]) == reach
            assert (figure["value"] is None) == bool(means.point[model] != means.point[model])
            assert row["reference"] == (row["name"] == "two") == (difference is None)
            if figure["value"] is not None and difference is not None:
                assert difference["value"] == pytest.approx(less.value[model])
                assert difference["p_adjusted"] == pytest.approx(less.adjusted[model])
                assert row["compared"]["first"][place]["value"] == pytest.approx(order.first[model])


def test_points_are_there_before_any_interval(services: Services) -> None:
    half, let_go = Event(), Event()

    def late(work: Callable[..., Any], on_progress: Callable[[float], None]) -> Any:  # noqa: ANN401 - whatever is computed
        on_progress(0.5)
        half.set()
        let_go.wait(60)
        return work()

    job = IntervalsJob(services.store, resamples=5, boards_process=late)
    held = Services(services.store, services.images, None, job)
    board, *_ = calls(held)
    found: Any = board({"state": WORDS})
    assert found["computing"] and found["rows"][0]["figures"][0]["value"] is not None
    assert found["rows"][0]["figures"][0]["low"] is None and found["rows"][0]["compared"]["first"][0]["value"] is None
    assert half.wait(60)
    waits: Any = board({"state": WORDS, "waiting": True})
    assert waits.keys() == {"stage", "left"} and waits["stage"] == "computing" and waits["left"] > 0
    let_go.set()
    held.intervals.close()


@pytest.mark.parametrize(
    "subject",
    [
        Subject(Slice(NAME, "one"), ("one", "three"), 1, "ECE", False, ()),
        Subject(Slice(NAME, "one", center="South", view="AP", source="nih"), ("one",), 0, "AP", True, ()),
        Subject(Slice(NAME, "three", label_source="one", sex="F"), ("three", "two"), 1, "recall", False, ()),
    ],
)
def test_words_lead_back_to_their_subject(services: Services, subject: Subject) -> None:
    words = subject_words(subject)
    if subject.chosen.sex:  # nobody's sex is known there
        with_complaint = subject_of(services.store, words)
        assert with_complaint.complaints
        return
    assert subject_of(services.store, words) == subject


def test_at_first_five_classifiers_of_the_phantom_are_compared_and_all_others_can_be(services: Services) -> None:
    subject = subject_of(services.store, {})
    assert subject.chosen.cohort == "phantom" and subject.models[subject.reference] == "phantom"
    assert subject.models == ("lab-asymmetric-0", "lab-bce-0", "lab-center-a-0", "lab-class-aware-0", "phantom")
    offered = evaluate_choices(services.store, subject)["models"]
    comparable = {each["name"] for each in offered if each["comparable"]}
    assert len(comparable) > 20 and comparable > {*subject.models}
    assert not any(model.startswith("zero-shot") for model in comparable) and "phantom-vlm" not in comparable


def test_words_that_mean_nothing_are_told(ask: Ask) -> None:
    found = ask("board", WORDS | {"models": ids("one") + ".nobody", "reference": "nobody", "metric": "luck"})
    assert [row["name"] for row in found["rows"]] == ["one"] and found["metric"] == "ap"
    assert len(found["complaints"]) == 2 and "has not scored" in found["complaints"][0]


def test_a_center_is_alone_and_has_no_center_columns(ask: Ask) -> None:
    every, north = ask("board", WORDS), ask("board", WORDS | {"center": center_id(NAME, "North")})
    assert {part["kind"] for part in every["parts"]} >= {"seen", "unseen", "own", "center"}
    assert "center" not in {part["kind"] for part in north["parts"]} and "at North" in north["title"]
    assert north["parts"][0]["films"] < every["parts"][0]["films"]


def test_films_of_so_many_findings_are_compared_alone(ask: Ask) -> None:
    every = ask("board", WORDS)
    (offered,) = [each for each in every["filters"] if each["key"] == "findings"]
    fewer = [ask("board", WORDS | {"findings": each["word"]}) for each in offered["values"]]
    assert len(fewer) > 1
    for each, found in zip(offered["values"], fewer, strict=True):
        assert f"findings per film: {each['name']}" in found.get("title", ""), found
        assert found["parts"][0]["films"] < every["parts"][0]["films"]


def test_one_model_and_films_without_labels_say_what_is_missing(ask: Ask, wording: Wording) -> None:
    alone = ask("board", LONE)
    assert len(alone["rows"]) == len(alone["models"]) == 1
    blank = ask("board", BLANK)
    assert blank["stage"] == "refused" and "ingest" in blank["detail"]
    wording(blank["title"])
    assert blank["choices"]["cohort"] == BLANK["cohort"] and len(blank["choices"]["cohorts"]) == 4


def test_models_without_a_common_finding_are_refused_with_the_models_to_choose_from(ask: Ask) -> None:
    words = ".".join(model_id("phantom", model) for model in ("phantom", "zero-shot-name"))
    found = ask("board", {"models": words})
    assert "no finding in common" in found["title"]
    assert [each["name"] for each in found["choices"]["models"] if each["chosen"]] == ["phantom", "zero-shot-name"]


def test_without_a_cohort_it_says_how_to_get_one(wording: Wording) -> None:
    store = Store(lambda: ())
    with closing(IntervalsJob(store)) as job:
        board, *_ = calls(Services(store, Images(), None, job))
        found: Any = board({"state": {}})
    assert found["stage"] == "refused" and found["choices"] is None
    wording(found["title"])


@pytest.mark.parametrize(("kind", "ending"), [("csv", "csv"), ("markdown", "md"), ("latex", "tex")])
def test_files_have_the_figures_of_the_page(ask: Ask, kind: str, ending: str) -> None:
    found = whole(ask, WORDS)
    answer = ask("board_file", WORDS, kind=kind)
    text = base64.b64decode(answer["data"]).decode()
    assert answer["name"] == f"tailscope_evaluate_{NAME}.{ending}"
    value = found["rows"][0]["figures"][0]["value"]
    assert (f"{value:.6f}".rstrip("0") if kind == "csv" else f"{value:.3f}") in text
    assert ask("board_file", WORDS, kind="exe")["stage"] == "refused"


def test_unseen_findings_have_their_own_task(ask: Ask) -> None:
    words = ".".join(model_id("phantom", model) for model in ("zero-shot-name", "zero-shot-words", "phantom-vlm"))
    found = ask("board", {"cohort": cohort_id("phantom"), "models": words})
    assert [part["kind"] for part in found["parts"]] == ["unseen", "center", "center"]
    assert found["rows"][0]["figures"][0]["value"] is not None


def test_nothing_of_a_path_is_told(ask: Ask, tmp_path: Path) -> None:
    assert str(tmp_path.parent) not in json.dumps(ask("board", WORDS))


@pytest.mark.parametrize("metric", ["ap", "ece"])
def test_charts_show_the_figures_of_the_rows_the_best_on_top(ask: Ask, metric: str) -> None:
    found = whole(ask, WORDS | {"metric": metric})
    assert len(found["figures"]) == len(found["parts"])
    for place, figure in enumerate(found["figures"]):
        (dots,), names = figure["data"], figure["layout"]["yaxis"]["ticktext"]
        by_name = {row["name"]: row["figures"][place] for row in found["rows"]}
        assert sorted(names) == sorted(by_name)
        assert dots["x"] == [by_name[name]["value"] for name in names]
        known = [value for value in dots["x"] if value is not None]
        assert known == sorted(known, reverse=found["larger_is_better"])
        for name, value, less in zip(names, dots["x"], dots["error_x"]["arrayminus"], strict=True):
            low = by_name[name]["low"]
            assert less == (0 if low is None else pytest.approx(value - low))


def test_marked_films_alone(ask: Ask, services: Services) -> None:
    """A list of films is a test set: it can be chosen once there is one, and narrows the films to those in it."""
    store, every = services.store, joint_scores(services.store, Slice(NAME, "one"), ("one", "two"))
    cases = sorted(store.patients(NAME))
    assert "marked" not in {each["key"] for each in ask("board", WORDS)["filters"]}, "nothing is marked yet"
    store.change_marks(NAME, starring(cases[::2], on=True))
    state = WORDS | {"models": ids("one", "two"), "marked": "starred"}
    found = ask("board", state)
    (offered,) = (each for each in found["filters"] if each["key"] == "marked")
    assert offered["chosen"] == "starred" and [each["word"] for each in offered["values"]] == ["any", "starred"]
    assert found["words"]["marked"] == "starred" and ", starred: " in found["title"]
    alone = every.of(np.isin(every.films, np.arange(len(cases))[::2]))
    board = board_of(alone, slice_groups(store, Slice(NAME, "one"), ("one", "two")), 0, 0, False)
    assert [part["films"] for part in found["parts"]] == [part.films for part in board.parts]
    assert [row["figures"][0]["value"] for row in found["rows"]] == pytest.approx(board.means[0, "AP"].point.tolist())
