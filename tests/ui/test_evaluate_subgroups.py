"""What Subgroups and Labels against labels answer: intervals one after the other, words, three sources of labels."""

from __future__ import annotations

import csv
import io
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, Film, write_small
from tests.support.wording import Wording
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.unsure import unsure

SUBGROUPS = {
    "cohort": cohort_id(NAME),
    "models": ".".join(model_id(NAME, model) for model in MODELS),
    "panel": "subgroups",
}
LABELS = {"cohort": cohort_id("three"), "panel": "labels"}
UNSURE = {"cohort": cohort_id("unsure"), "panel": "labels"}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    place = tmp_path_factory.mktemp("cohorts")
    made, dice = write_several(place, 11, 60), np.random.default_rng(2)
    said = dice.random((3, 40)) < 0.5
    films = [
        Film(
            f"{n:02}",
            {"Mass": word(said[0, n])},
            {"Mass": float(dice.random())},
            others={"chart": {"Mass": word(said[1, n])}, **({"readers": {"Mass": word(said[2, n])}} if n < 30 else {})},
        )
        for n in range(40)
    ]
    three = write_small(place, films, {}, name="three", model="only")
    doubted = unsure(place)
    store = Store(lambda: (made.folder, three, doubted))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def word(present: bool) -> str:
    return "present" if present else "absent"


def whole(ask: Ask, state: Json) -> Json:
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("panel", state)


def cells(content: Json) -> list[Json]:
    return [each for respect in content["respects"] for each in respect["subgroups"]]


def test_p_comes_with_the_last_interval_and_what_is_new_is_sent_before(ask: Ask) -> None:
    state = {**SUBGROUPS, "metric": "ap"}  # asked by no other test
    first = ask("panel", state)
    assert first["computing"] and first["done"] < len(cells(first["content"]))
    assert {each["p"] for cell in cells(first["content"]) for each in cell["differences"]} == {None}
    assert ask("panel", state, waiting=True, done=-1)["stage"] == "panel"  # more is there than the page has
    found = whole(ask, state)
    assert found["done"] == len(cells(found["content"])) and not found["computing"]
    assert any(each["p"] is not None for cell in cells(found["content"]) for each in cell["differences"])


def test_auroc_is_the_usual_metric_of_subgroups_and_ap_is_said_to_follow_prevalence(ask: Ask) -> None:
    usual = ask("panel", SUBGROUPS)
    assert usual["content"]["measure"] == "AUROC" and not usual["content"]["prevalence"]
    assert "metric" not in usual["words"]
    other = ask("panel", {**SUBGROUPS, "metric": "ap"})
    assert other["content"]["measure"] == "AP" and other["content"]["prevalence"] and other["words"]["metric"] == "ap"


def test_means_are_over_the_group_that_the_address_names(ask: Ask) -> None:
    found = ask("panel", {**SUBGROUPS, "over": "without-normal"})
    assert found["content"]["findings"] == 2 and found["words"]["over"] == "without-normal"
    wrong = ask("panel", {**SUBGROUPS, "over": "lucky"})
    assert wrong["content"]["findings"] == 3 and "group of findings" in " ".join(wrong["complaints"])
    assert "over" not in wrong["words"]


def test_the_file_of_subgroups_has_a_row_for_each_subgroup_and_model(ask: Ask) -> None:
    found = whole(ask, SUBGROUPS)
    text = b64decode(ask("board_file", SUBGROUPS, kind="csv")["data"]).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(cells(found["content"])) * len(MODELS)
    for cell, row in zip(cells(found["content"]), rows[:: len(MODELS)], strict=True):
        assert (row["subgroup"], int(row["films"])) == (cell["name"], cell["films"])
        value = cell["differences"][0]["value"]
        written = row["difference_value"]
        assert (float(written) if written else None) == (None if value is None else pytest.approx(value, abs=1e-6))


def test_p_as_it_is_stands_in_the_file_and_a_floor_that_nothing_passes_is_said(ask: Ask, wording: Wording) -> None:
    """Twenty resamples give no p below 2 / 21, which alone is more than 0.05."""
    notes = whole(ask, SUBGROUPS)["notes"]
    (floor,) = (note for note in notes if note.startswith("20 resamples"))
    assert "0.095" in floor
    wording(floor)
    text = b64decode(ask("board_file", SUBGROUPS, kind="csv")["data"]).decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["p"]]
    assert rows and all(2 / 21 - 1e-6 <= float(row["p"]) <= float(row["p_adjusted"]) for row in rows)


def test_of_three_sources_those_of_most_films_are_compared_until_others_are_named(ask: Ask) -> None:
    usual = ask("panel", LABELS)
    assert [each["name"] for each in usual["content"]["chosen"]] == ["chart", "one"]
    named = {each["name"]: each["word"] for each in usual["content"]["sources"]}
    other = ask("panel", {**LABELS, "one": named["readers"], "other": named["one"]})
    assert [each["name"] for each in other["content"]["chosen"]] == ["readers", "one"]
    assert other["content"]["films"] == 30 and other["words"]["one"] == named["readers"]
    wrong = ask("panel", {**LABELS, "one": "nobody"})
    assert [each["name"] for each in wrong["content"]["chosen"]] == ["chart", "one"]
    assert "source of labels" in " ".join(wrong["complaints"])


def test_the_file_of_labels_has_both_sources_orders_and_agreement(ask: Ask) -> None:
    whole(ask, LABELS)
    text = b64decode(ask("board_file", LABELS, kind="csv")["data"]).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["label_source"] for row in rows} == {"chart", "one", ""}
    (kappa,) = [row for row in rows if row["metric"] == "Cohen kappa"]
    assert kappa["films"] == "40" and float(kappa["ci_low"]) < float(kappa["value"]) < float(kappa["ci_high"])


def test_uncertain_labels_are_counted_either_way_and_may_turn_the_order(ask: Ask) -> None:
    answer = ask("panel", UNSURE | {"metric": "auroc"})
    content = answer["content"]
    assert [each["name"] for each in content["chosen"]] == ["uncertain ones as absent", "uncertain ones as present"]
    means = [[value["value"] for value in figures] for figures in content["means"]]
    first, second = content["models"].index("first"), content["models"].index("second")
    assert means[0][first] == 1 and means[0][second] == 0.5  # 8 and 4 of 2 x 4 pairs in order
    assert means[1][first] == 0.5 and means[1][second] == 1
    assert (
        "2 labels of these films and findings are uncertain, or sources differ. All of them count as absent, or all as "
        "present. The order of the models by mAUROC is another. Mixed cases follow with the intervals."
    ) in answer["notes"]
    assert content["ranges"] is None
    content = whole(ask, UNSURE | {"metric": "auroc"})["content"]
    ranges, pairs = content["ranges"]["grids"]
    assert ranges["rows"] == [["first", "0.500", "1.000"], ["second", "0.500", "1.000"]]
    assert [row[-1] for row in pairs["rows"]] == ["no"]
    assert "0 of 1 pair keeps it" in content["ranges"]["sentence"]
    text = b64decode(ask("board_file", UNSURE | {"metric": "auroc"}, kind="csv")["data"]).decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if "whichever way" in row["metric"]]
    assert [float(row["value"]) for row in rows if "minus" not in row["metric"]] == [0.5, 1, 0.5, 1]
    assert content["findings"][0]["only"] == [0, 2]
