"""Table and scatter plot over the real nih-oof: their numbers are those counted apart, with NumPy and scikit-learn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.core.findings import Outcome
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.clustered_rates import clustered_rate
from explorer.metrics.metrics import average_precision
from explorer.store.filter_kinds import as_word
from explorer.store.slices import Slice
from explorer.ui.shared.links import center_id, slice_words
from explorer.ui.shared.services import Services
from tests.ui.counted_apart import MODEL, Apart, until
from tests.ui.panel_asker import NIH_OOF, Ask, Json, all_of, compared, counted, panel_asker, services_of
from tests.ui.three_centers import LARGE, NAME, TRAINED_ON, UNLABELLED, three_centers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def apart() -> Apart:
    return Apart(NIH_OOF)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    with services_of(three_centers(tmp_path_factory.mktemp("cohorts"))) as services:
        yield services


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return panel_asker(services)


@pytest.mark.parametrize("restrictions", [{}, {"view": "AP", "sex": "F"}, {"age": "80+"}], ids=["all", "AP F", "80+"])
def test_the_table_is_that_counted_apart(ask: Ask, apart: Apart, restrictions: Json) -> None:
    table = ask("cell_table", all_of(**restrictions))
    films = pd.Series(True, apart.cases.index)
    for column, value in restrictions.items():
        known = apart.cases[column]
        films &= known >= 80 if column == "age" else known.astype(str) == value
    assert table["films"] == films.sum()
    assert len(table["lines"]) == 15
    for line in table["lines"]:
        (cell,) = line["cells"]
        sensitivity, specificity = apart.rates(line["finding"], films)
        assert (counted(cell["sensitivity"]), counted(cell["specificity"])) == (sensitivity, specificity)
        truth, score = apart.labels.loc[films, line["finding"]], apart.scores.loc[films, line["finding"]]
        assert (cell["positives"], cell["negatives"]) == (int(truth.sum()), int((1 - truth).sum()))
        if cell["positives"]:
            assert cell["precision"]["value"] == pytest.approx(average_precision_score(truth, score), abs=1e-9)
            assert cell["precision"]["chance"] == pytest.approx(truth.mean())
        else:
            assert cell["precision"]["value"] is None and cell["sensitivity"]["value"] is None


def test_a_rate_has_its_interval_clustered_by_patient(ask: Ask, apart: Apart) -> None:
    line = next(each for each in ask("cell_table", all_of())["lines"] if each["finding"] == "Mass")
    present = apart.labels["Mass"] == 1
    patients = pd.factorize(apart.cases["patient"])[0]
    expected = clustered_rate(apart.called("Mass")[present].to_numpy() == 1, patients[present])
    rate = line["pooled"]["sensitivity"]
    assert (rate["low"], rate["high"]) == pytest.approx(expected.interval)
    assert expected.effective is not None


def test_the_table_is_counted_over_all_findings_and_centers_whatever_the_model_said(ask: Ask) -> None:
    asked = all_of(finding="Mass", center="NIH", outcomes=(Outcome.MISS,), low=0.1, sex="F")
    table = ask("cell_table", asked)
    assert table["lines"] == ask("cell_table", all_of(sex="F"))["lines"]
    assert "women" in table["sentence"] and "Mass" not in table["sentence"] and "isses" not in table["sentence"]


def test_the_lines_go_from_head_to_tail(ask: Ask) -> None:
    order = ["common", "medium", "rare", "very rare", "normal", None]
    lines = ask("cell_table", all_of(source="nih"))["lines"]
    places = [(order.index(line["group"]), -line["pooled"]["positives"]) for line in lines]
    assert places == sorted(places)
    assert {line["group"] for line in lines} >= {"common", "medium", "rare"}


def test_the_intervals_of_average_precision_come_later_and_are_those_of_patients(ask: Ask, apart: Apart) -> None:
    known = until(lambda: ask("cell_intervals", all_of()), lambda answer: bool(answer["complete"]))
    done = {each["finding"]: each for each in known["done"] if each["center"] is None}
    assert len(done) == 15
    for finding in ("Mass", "Pleural Effusion"):
        truth, score = apart.labels[[finding]], apart.scores[[finding]]
        drawn = bootstrap(truth, score, average_precision, 200, seed=7, unit=apart.cases["patient"].tolist())
        assert done[as_word(finding)]["value"] == pytest.approx(drawn.point[0], abs=1e-6)
        assert done[as_word(finding)]["low"] == pytest.approx(drawn.low[0], abs=0.03)
        assert done[as_word(finding)]["high"] == pytest.approx(drawn.high[0], abs=0.04)
    again = ask("cell_table", all_of())
    assert again["complete"] and len(again["done"]) == len(known["done"])


def test_only_a_poll_has_intervals_computed_and_it_brings_those_that_are_new(ask: Ask) -> None:
    asked = all_of(sex="F", age="40-59")
    for _ in range(10):
        assert not ask("cell_table", asked)["done"]
        time.sleep(0.02)
    done: list[Json] = []
    complete = False
    while not complete:
        news = ask("cell_intervals", asked, known=[each["finding"] for each in done])
        done, complete = done + news["done"], news["complete"]
        time.sleep(0.02)
    assert len(done) == len({(each["finding"], each["center"]) for each in done}) == 30
    assert ask("cell_intervals", asked, known=[each["finding"] for each in done])["done"] == []
    assert ask("cell_table", asked)["done"] == ask("cell_intervals", asked)["done"]


def test_a_center_without_labels_has_a_score_shift_and_no_rate(ask: Ask, services: Services) -> None:
    table = ask("cell_table", Slice(NAME, MODEL))
    at = [center["name"] for center in table["centers"]].index(UNLABELLED)
    assert table["centers"][at]["labelled"] is False
    columns = {line["finding"]: services.store.column(Slice(NAME, MODEL), line["finding"]) for line in table["lines"]}
    for line in table["lines"]:
        cell, column = line["cells"][at], columns[line["finding"]]
        here, labelled = column.center == UNLABELLED, ~np.isnan(column.label)
        assert cell["sensitivity"]["n"] == cell["specificity"]["n"] == cell["positives"] == cell["negatives"] == 0
        assert cell["precision"] == {"value": None, "chance": None, "natural": None}
        assert cell["shift"]["films"] == here.sum() > 0
        median = np.median(column.score[here])
        assert cell["shift"]["median"] == pytest.approx(float(median))
        assert cell["shift"]["difference"] == pytest.approx(float(median - np.median(column.score[labelled])))


def test_in_sample_centers_are_marked_and_centers_have_ids_only(ask: Ask) -> None:
    table = ask("cell_table", Slice(NAME, MODEL))
    assert {center["name"] for center in table["centers"] if center["origin"] == "in-sample"} == {TRAINED_ON}
    assert table["centers"][0]["name"] == LARGE
    assert [center["id"] for center in table["centers"]] == [
        center_id(NAME, center["name"]) for center in table["centers"]
    ]


def test_gaps_are_the_second_center_minus_the_first_and_those_of_two_slices(ask: Ask) -> None:
    """The two labeled centers with the most films; the numbers are the compare panel's of the same two slices."""
    asked = Slice(NAME, MODEL)
    table = ask("cell_table", asked)
    first, second = table["between"]
    labelled = [center["name"] for center in table["centers"] if center["labelled"]]
    assert [first, second] == labelled[:2]
    places = [[center["name"] for center in table["centers"]].index(name) for name in (first, second)]
    for line in table["lines"]:
        one, other = (line["cells"][place] for place in places)
        for measure, gap in line["gaps"].items():
            values = other[measure]["value"], one[measure]["value"]
            assert gap["value"] == (None if None in values else pytest.approx(values[0] - values[1]))
    known = until(lambda: ask("cell_intervals", asked), lambda answer: answer["complete"])
    words = {"beside": urlencode(slice_words(Slice(NAME, MODEL, center=first)))}
    beside = Slice(NAME, MODEL, center=second)
    rates = ("sensitivity", "specificity")
    gaps = {(line["word"], name): line["gaps"][name] for line in table["lines"] for name in rates}
    gaps |= {(each["finding"], name): gap for each in known["gaps"] for name, gap in each["gaps"].items()}
    named = {"average precision": "precision", "AUROC": "auroc"}
    (found,) = compared(ask, beside, words)["against"]
    pairs = [pair for pair in found["pairs"] if pair["difference"]["value"] is not None]
    pairs = [pair for pair in pairs if pair["measure"] not in ("F1", "ECE")]  # no column of the table's
    assert len(pairs) > 40
    for pair in pairs:  # p is adjusted over other differences there
        gap = gaps[pair["word"], named.get(pair["measure"], pair["measure"])]
        assert gap["centers"] == [first, second]
        for part in ("value", "low", "high", "other_prevalence"):
            assert gap[part] == pytest.approx(pair["difference"][part])


def test_average_precision_and_auroc_come_with_what_chance_has(ask: Ask, apart: Apart) -> None:
    for line in ask("cell_table", all_of())["lines"]:
        (cell,) = line["cells"]
        truth, score = apart.labels[line["finding"]], apart.scores[line["finding"]]
        assert cell["auroc"] == {"value": pytest.approx(roc_auc_score(truth, score)), "chance": 0.5}
        assert cell["precision"]["chance"] == pytest.approx(truth.mean())


def test_the_scatter_shows_the_cells(ask: Ask) -> None:
    table = ask("cell_table", all_of())
    known = until(
        lambda: ask("prevalence", all_of(), width=560, height=480), lambda answer: answer["computing"] is False
    )
    cells = {line["word"]: line["pooled"] for line in table["lines"]}
    assert len(known["points"]) == 15
    for point in known["points"]:
        assert point["value"] == cells[point["word"]]["precision"]["value"]
        assert point["positives"] / point["films"] == pytest.approx(cells[point["word"]]["precision"]["chance"])
        assert point["low"] <= point["value"] <= point["high"] or point["positives"] < 20
    drawn = {
        name: (x, y)
        for trace in known["figure"]["data"]
        for name, x, y in zip(trace.get("customdata", []), trace["x"], trace["y"], strict=False)
    }
    assert drawn == {point["word"]: (point["positives"] / point["films"], point["value"]) for point in known["points"]}
    assert known["sentence"] in known["figure"]["layout"]["title"]["text"].replace("<br>", " ")


def test_the_scatter_keeps_the_center_and_tells_what_it_cannot_draw(ask: Ask) -> None:
    known = ask("prevalence", Slice(NAME, MODEL, center=TRAINED_ON), width=560, height=480)
    assert TRAINED_ON in known["sentence"]
    without = ask("prevalence", Slice(NAME, MODEL, center=UNLABELLED), width=560, height=480)
    assert without["points"] == []
    (why,) = without["undrawn"]  # said once, of all 15
    assert why.startswith("no labels: ") and why.count(",") == 14


@pytest.mark.parametrize("size", [{}, {"width": "wide", "height": None}, {"width": 1e9, "height": -5}])
def test_a_figure_has_a_sensible_size_whatever_is_asked(ask: Ask, size: Json) -> None:
    assert 240 <= ask("prevalence", all_of(), **size)["figure"]["layout"]["height"] <= 1600
