"""The server's side of Evaluate's panels: what each answers on random small cohorts, files, words, refusals."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterator
from contextlib import closing

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.store.store import Store
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.several_models import FINDINGS, MODELS, write_several
from tests.support.small_cohort import NAME, Film, write_small
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker

WORDS = {"cohort": cohort_id(NAME), "models": ".".join(model_id(NAME, model) for model in MODELS)}
LONE, BLANK = ({"cohort": cohort_id(name)} for name in ("lone", "blank"))


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    place = tmp_path_factory.mktemp("cohorts")
    made = write_several(place, 11, 60)
    films = [Film(str(n), {"Mass": ("present", "absent")[n % 2]}, {"Mass": n / 10}) for n in range(8)]
    lone = write_small(place, films, {}, name="lone", model="only")
    blank = write_small(place, [Film("a", {}, {"Mass": 0.5})], {}, name="blank", model="only")
    store = Store(lambda: (made.folder, lone, blank))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def whole(ask: Ask, state: Json) -> Json:
    """The panel with its intervals."""
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("panel", state)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("state", [WORDS, LONE], ids=["several models", "one model"])
def test_every_panel_answers_and_its_words_lead_back_to_it(ask: Ask, panel: str, state: Json) -> None:
    found = whole(ask, {**state, "panel": panel})
    assert found["stage"] == "panel" and found["panel"] == found["words"]["panel"] == panel
    again = ask("panel", found["words"])
    assert {**again, "complaints": []} == found and not again["complaints"]


@pytest.mark.parametrize("panel", [panel for panel in PANELS if panel != "published"])
def test_every_panel_says_what_is_missing_where_no_film_has_a_label(ask: Ask, panel: str) -> None:
    found = ask("panel", {**BLANK, "panel": panel})
    assert found["stage"] == "refused" and "label" in found["title"] and found["detail"]
    assert found["choices"]["cohort"] == BLANK["cohort"]


# Stress tests need scores of their own: their files are tested in test_evaluate_robustness and _detectability.
@pytest.mark.parametrize("panel", [panel for panel in PANELS if panel not in ("robustness", "detectability")])
@pytest.mark.parametrize("kind", ["csv", "markdown", "latex"])
def test_every_panel_is_saved_as_a_table(ask: Ask, panel: str, kind: str) -> None:
    found = ask("board_file", {**WORDS, "panel": panel}, kind=kind)
    assert found["stage"] == "export" and found["name"].startswith(f"tailscope_{panel}_")
    text = base64.b64decode(found["data"]).decode()
    if kind == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows and all(None not in row and None not in row.values() for row in rows)
    else:
        assert {"markdown": "\n| --- |", "latex": r"\begin{tabular}"}[kind] in text


def test_a_panel_that_is_not_there_is_refused_with_those_that_are(ask: Ask) -> None:
    found = ask("panel", {**WORDS, "panel": "luck"})
    assert found["stage"] == "refused" and "tail" in found["detail"]


def test_head_to_tail_has_every_finding_with_the_boards_figures(ask: Ask) -> None:
    found = whole(ask, {**WORDS, "panel": "tail", "metric": "auroc"})["content"]
    assert found["measure"] == "AUROC" and {each["finding"] for each in found["findings"]} == set(FINDINGS)
    board = ask("board", WORDS)
    best = {each["finding"]: each for each in board["winners"]}
    for each in whole(ask, {**WORDS, "panel": "tail"})["content"]["findings"]:
        values = [figure["value"] for figure in each["figures"] if figure["value"] is not None]
        assert (max(values) if values else None) == best[each["finding"]]["AP"]
        assert (each["positives"], each["films"]) == (
            best[each["finding"]]["positives"],
            best[each["finding"]]["films"],
        )


def test_means_of_groups_and_their_gaps_are_the_boards_with_n(ask: Ask) -> None:
    found, board = whole(ask, {**WORDS, "panel": "tail"})["content"], ask("board", WORDS)
    parts = [(place, part) for place, part in enumerate(board["parts"]) if part["center"] is None]
    assert [each["name"] for each in found["means"]] == [part["name"] for _, part in parts]
    for mean, (place, part) in zip(found["means"], parts, strict=True):
        assert mean["figures"] == [row["figures"][place] for row in board["rows"]]
        assert (mean["films"], mean["fewest"], mean["findings"]) == (part["films"], part["fewest"], part["counted"])
    means = {each["name"]: each for each in found["means"]}
    (gap,) = (each for each in found["gaps"] if each["name"] == "seen minus unseen")
    sides = means["seen findings"], means["unseen findings"]
    assert gap["findings"] == [side["findings"] for side in sides]
    assert gap["fewest"] == min(side["fewest"] for side in sides)


def test_means_of_f1_tell_their_rarest_finding(ask: Ask) -> None:
    found = whole(ask, {**WORDS, "panel": "price"})["content"]
    positives = {each["finding"]: each["positives"] for each in found["findings"] if each["positives"]}
    assert found["means"] and all(mean["fewest"] in positives.values() for mean in found["means"])


def test_a_bar_of_head_to_tail_says_how_much_rarer_its_finding_is(ask: Ask) -> None:
    found = whole(ask, {**WORDS, "panel": "tail"})["content"]
    bars = next(each for each in found["figure"]["data"] if each["type"] == "bar")
    ratios = [None if each["ratio"] is None else float(f"{each['ratio']:.1f}") for each in found["findings"]]
    said = [text.partition("imbalance 1 : ")[2] for text in bars["hovertext"]]
    assert [float(each) if each else None for each in said] == ratios and 1.0 in ratios
    assert [text.split("<br>")[0] for text in bars["hovertext"]] == [
        f"<b>{each['finding']}</b>" for each in found["findings"]
    ]


def test_a_metric_of_calls_is_no_metric_of_head_to_tail(ask: Ask) -> None:
    found = ask("panel", {**WORDS, "panel": "tail", "metric": "recall"})
    assert found["content"]["measure"] == "AP"


def test_recipes_without_training_are_the_models_themselves(ask: Ask) -> None:
    found = whole(ask, {**WORDS, "panel": "recipes"})["content"]
    assert not found["trained"] and sorted(each["name"] for each in found["recipes"]) == sorted(MODELS)
    assert all(each["minutes"] is None and each["printed"] is None for each in found["recipes"])
