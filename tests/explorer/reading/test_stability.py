"""Scores after small changes: bands, calls that turn, sentences, and one call of the model."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.reading.finding_list import FindingRow
from explorer.reading.model_loader import BackgroundModel
from explorer.reading.reader import Reader
from explorer.reading.stability import FilmStability, finding_stability, stability_words
from explorer.reading.stability_json import stability_answer
from models.perturbations.small_changes import small_changes
from models.radiograph import Radiograph
from tests.explorer.reading.test_reader import FINDINGS, FiveFindings
from tests.support.wording import Wording

CHANGES = 24


def scores(*, below: int) -> NDArray[np.float64]:
    """24 scores 0.01 apart, of which `below` are below 0.5, the highest of them 0.49."""
    return 0.5 + 0.01 * np.arange(-below, CHANGES - below)


def stability_of(*columns: NDArray[np.float64], rows: Sequence[FindingRow]) -> FilmStability:
    names = tuple(f"change {number}" for number in range(CHANGES))
    found = np.stack(columns, axis=1).astype(np.float32)
    return FilmStability(names, tuple(row.finding for row in rows), found, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("below", "stable"), [(0, True), (2, True), (3, False), (7, False)])
def test_a_flag_is_stable_if_no_more_than_one_in_ten_changes_turn_it(below: int, stable: bool) -> None:
    rows = [FindingRow("Mass", 0.6, threshold=0.499)]
    (found,) = finding_stability(stability_of(scores(below=below), rows=rows), rows)
    assert (found.above, found.turned, found.stable) == (CHANGES - below, below, stable)
    # the two lowest and the two highest are left out: the band crosses the threshold where the call is not stable
    assert found.low == pytest.approx(0.52 - 0.01 * below, abs=1e-6)
    assert found.high == pytest.approx(0.71 - 0.01 * below, abs=1e-6)
    assert (found.low >= 0.499) == stable


@pytest.mark.parametrize(("below", "stable"), [(24, True), (22, True), (21, False)])
def test_a_finding_below_its_threshold_turns_where_the_score_reaches_it(below: int, stable: bool) -> None:
    rows = [FindingRow("Mass", 0.45, threshold=0.499)]
    (found,) = finding_stability(stability_of(scores(below=below), rows=rows), rows)
    assert found.stable == stable and (found.high < 0.499) == stable
    assert found.turned == found.above


def test_without_a_call_there_is_a_band_alone() -> None:
    rows = [FindingRow("Mass", 0.6), FindingRow("Hernia", 0.6, threshold=0.5, judged=False)]
    found = finding_stability(stability_of(scores(below=3), scores(below=3), rows=rows), rows)
    assert [(each.above, each.turned, each.stable, each.words) for each in found] == [(None, None, None, "")] * 2
    assert found[0].low == pytest.approx(0.49, abs=1e-6)
    assert stability_words(found) == ""


def test_what_is_not_stable_is_said_in_words(wording: Wording) -> None:
    rows = [FindingRow(name, 0.6, threshold=0.499) for name in ("Mass", "Nodule", "Edema")]
    film = stability_of(scores(below=7), scores(below=2), scores(below=24), rows=rows)
    found = finding_stability(film, rows)
    wording(stability_words(found), "2 of 3 findings", "Mass (above it in 17)", "Edema (above it in 0)")
    wording(stability_words(found[:2]), "1 of 2 findings crosses", "Mass (above it in 17)")
    wording(stability_words(found[1:2]), "2 of 24")
    wording(found[0].words, "17 of 24")


def test_the_answer_follows_the_rows_and_is_plain_json() -> None:
    rows = [FindingRow("Nodule", 0.6, threshold=0.5), FindingRow("Mass", 0.6, threshold=0.5)]
    film = stability_of(scores(below=7), scores(below=0), rows=rows[::-1])
    answer = stability_answer(film, rows)
    assert [each["finding"] for each in answer["findings"]] == ["Nodule", "Mass"]
    assert [each["stable"] for each in answer["findings"]] == [True, False]
    assert json.loads(json.dumps(answer)) == answer


class Counting(FiveFindings):
    """Scores each film by its mean gray, and counts the films of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def score(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        self.calls.append(len(radiographs))
        return np.array([[film.pixels.mean()] * len(FINDINGS) for film in radiographs], np.float32)


def test_all_changes_of_a_film_go_through_the_model_in_one_call_and_alike_each_time() -> None:
    counting = Counting()
    model = BackgroundModel("five", lambda: counting)
    model.start()
    film = Radiograph.from_pixels(np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64))
    first, second = (Reader(model).stability(film, name="film") for _ in range(2))
    assert counting.calls == [CHANGES, CHANGES]
    assert first.changes == tuple(each.name for each in small_changes()) and first.findings == FINDINGS
    assert first.scores.shape == (CHANGES, len(FINDINGS))
    np.testing.assert_allclose(first.scores, second.scores, rtol=1e-6)
    brighter, darker = (first.scores[first.changes.index(name), 0] for name in ("brightness-up-1", "brightness-down-1"))
    assert brighter > film.pixels.mean() > darker
