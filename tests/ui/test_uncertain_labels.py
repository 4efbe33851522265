"""How uncertain labels count: one word of an address, for Evaluate, Explore, their files and the endpoints."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.label_issues.rules import label_issues
from explorer.cohorts.images import Images
from explorer.core.uncertainty import UncertainAs
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import WrongFilter, slice_in
from explorer.ui.evaluate.leaderboard_endpoint import board_endpoint
from explorer.ui.explore.slice_calls import calls as explore_calls
from explorer.ui.explore.slice_endpoint import slice_endpoint
from explorer.ui.shared.links import WrongLink, cohort_id, model_id, resolve_slice, slice_words
from explorer.ui.shared.services import Services
from tests.support.small_cohort import NAME as SURE
from tests.support.small_cohort import Film, write_small
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.unsure import MODELS, NAME, unsure

# Of 2 x 2 pairs of films all are in order while the uncertain films are left out. They are scored lowest by the first
# model, so that as absent all of 2 x 4 pairs are in order, as present 4 of 4 x 2; the second scores them highest.
AUROC: dict[UncertainAs | None, tuple[float, float]] = {None: (1, 1), "absent": (1, 0.5), "present": (0.5, 1)}
# At 0.5, the first model's outcomes: the films scored 0.6 and 0.7 are hits, 0.5 is a false alarm, 0.3 is none, and the
# two in doubt are below.
OUTCOMES: dict[UncertainAs | None, tuple[int, int, int, int]] = {
    None: (2, 0, 1, 1),
    "absent": (2, 0, 1, 3),
    "present": (2, 2, 1, 1),
}
STATE = {"cohort": cohort_id(NAME), "metric": "auroc"}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    place = tmp_path_factory.mktemp("cohorts")
    folders = unsure(place, threshold=0.5), write_small(place, [Film("1", {"Mass": "present"}, {"Mass": 0.4})], {})
    store = Store(lambda: folders)
    with closing(IntervalsJob(store, resamples=5)) as job:
        yield Services(store, Images(), None, job)


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return asker(services)


def word(counted: UncertainAs | None) -> dict[str, str]:
    return {"uncertain": counted} if counted else {}


def means(answer: Json) -> tuple[float, ...]:
    by_name = {row["name"]: row["figures"][0]["value"] for row in answer["rows"]}
    return tuple(by_name[model] for model in MODELS)


def explore(services: Services, name: str, state: Json, **more: object) -> Json:
    offered = {call.__name__: call for call in explore_calls(services)}
    answer: Json = json.loads(json.dumps(offered[name]({"state": state, **more}), allow_nan=False))
    return answer


def test_nothing_kept_of_one_reading_is_answered_for_another(ask: Ask) -> None:
    for counted in (None, "absent", "present", None, "present", "absent"):
        answer = ask("board", STATE | word(counted))
        assert means(answer) == AUROC[counted], counted
        assert answer["complaints"] == [] and answer["words"].get("uncertain") == counted
        assert answer["uncertain"]["labels"] == 2 and answer["uncertain"]["chosen"] == (counted or "")
        assert (f", uncertain labels as {counted}:" in answer["title"]) == (counted is not None)
        assert "uncertain labels" not in answer["title"] or counted


def test_outcomes_and_tables_are_kept_by_reading_too(services: Services) -> None:
    for counted in ("present", None, "absent", "present", None):
        chosen = Slice(NAME, MODELS[0], uncertain=counted)
        (tally,) = services.store.tally(chosen)
        found = (tally.hits, tally.misses, tally.false_alarms, tally.correct_rejections)
        assert found == OUTCOMES[counted] and tally.unlabelled == (0 if counted else 2), counted
        assert tally.positives + tally.negatives == (6 if counted else 4)


def test_every_panel_names_the_reading_in_its_title_and_its_file(ask: Ask) -> None:
    for panel in ("tail", "subgroups", "together", "price", "pair", "calibration", "finding", "glance"):
        answer = ask("panel", STATE | {"panel": panel, "uncertain": "present"})
        assert answer["stage"] == "panel", (panel, answer)
        assert "uncertain labels as present" in answer["title"], panel
        text = b64decode(ask("board_file", STATE | {"panel": panel, "uncertain": "present"}, kind="markdown")["data"])
        assert "uncertain labels as present" in text.decode(), panel
    for counted, name in (
        ("absent", "tailscope_evaluate_unsure_uncertain-as-absent.csv"),
        (None, "tailscope_evaluate_unsure.csv"),
    ):
        assert ask("board_file", STATE | word(counted), kind="csv")["name"] == name


def test_labels_against_labels_has_both_bounds_whatever_the_reading(ask: Ask) -> None:
    bounds = {"panel": "labels", "one": "uncertain-zeros", "other": "uncertain-ones"}
    for counted in (None, "absent", "present"):
        answer = ask("panel", STATE | bounds | word(counted))
        figures = [[value["value"] for value in each] for each in answer["content"]["means"]]
        assert figures == [list(AUROC["absent"]), list(AUROC["present"])]
        assert "uncertain labels as" not in answer["title"] and answer["complaints"] == []


def test_explore_counts_so_and_says_so(services: Services) -> None:
    misses = slice_words(Slice(NAME, MODELS[0])) | {"outcome": "miss"}
    expected = {
        None: (0, "2 uncertain labels of this cohort are left out."),
        "absent": (0, "2 uncertain labels of this cohort count as absent."),
        "present": (2, "2 uncertain labels of this cohort count as present."),
    }
    for counted, (films, words) in expected.items():
        answer = explore(services, "slice_page", misses | word(counted))
        assert (answer["films"], answer["uncertain"]) == (films, words)
        assert (f"uncertain labels as {counted}" in answer["sentence"]) == (counted is not None)
    hidden = explore(services, "slice_page", misses | {"hide": "1", "uncertain": "present"})
    assert hidden["uncertain"] == "" and "uncertain" not in hidden["facets"]
    options = answer["facets"]["uncertain"]
    assert [(each["name"], each["note"]) for each in options] == [("as absent", "2 labels"), ("as present", "2 labels")]


def test_an_export_names_the_reading_of_its_rows(services: Services) -> None:
    state = slice_words(Slice(NAME, MODELS[0])) | {"outcome": "miss", "uncertain": "present"}
    packed = ZipFile(io.BytesIO(b64decode(explore(services, "slice_export", state, kind="csv")["data"])))
    rows, facts = (packed.read(next(name for name in packed.namelist() if name.endswith(end))) for end in ("v", "n"))
    assert [(row["case"], row["label"], row["outcome"]) for row in csv.DictReader(io.StringIO(rows.decode()))] == [
        ("4", "present", "miss"),
        ("5", "present", "miss"),
    ]
    assert "uncertain labels as present" in json.loads(facts)["slice"]


def test_endpoints_take_the_word_in_their_filters(services: Services) -> None:
    found = slice_endpoint(services)(NAME, MODELS[0], "uncertain=present, outcome=miss")
    assert found["films"] == 2 and "uncertain labels as present" in found["slice"]
    answer = json.dumps(board_endpoint(services)(NAME, [*MODELS], "uncertain=absent"))
    assert "uncertain labels as absent" in answer


def test_a_link_keeps_the_word_and_a_cohort_without_uncertain_labels_refuses_it(services: Services) -> None:
    chosen = Slice(NAME, MODELS[1], uncertain="absent")
    assert resolve_slice(services.store, slice_words(chosen)) == chosen and not chosen.picks_pairs
    plain = {"cohort": cohort_id(SURE), "model": model_id(SURE, "reader")}
    with pytest.raises(WrongLink, match="this cohort has none"):
        resolve_slice(services.store, plain | {"uncertain": "present"})
    with pytest.raises(WrongFilter):
        slice_in(services.store, SURE, "reader", "uncertain=present", {})
    with pytest.raises(WrongFilter, match="no uncertain 'maybe'"):
        Slice(NAME, MODELS[0], uncertain="maybe")
    page = explore(services, "slice_page", plain | {"outcome": "miss"})
    assert page["uncertain"] == "" and page["facets"]["uncertain"] == []


def test_an_uncertain_label_contradicts_nothing(services: Services) -> None:
    one, other = (label_issues(services.store, Slice(NAME, MODELS[0], uncertain=each)) for each in (None, "present"))
    assert one == other


def test_prepared_files_of_two_readings_lie_side_by_side(tmp_path: Path) -> None:
    folder = unsure(tmp_path / "cohorts", threshold=0.5)
    with closing(Store(lambda: (folder,), prepared=tmp_path / "prepared")) as store:
        for counted in (None, "absent", "present"):
            store.tally(Slice(NAME, MODELS[0], uncertain=counted))
    names = sorted(path.name.rpartition("-")[0] for path in (tmp_path / "prepared").glob("*/model-*.duckdb"))
    assert names == ["model-first", "model-first+ones", "model-first+zeros"]
