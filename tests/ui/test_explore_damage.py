"""Damaged files and the Explore tab: what the calls answer, what is named on the page, and where else one may go."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.store.store import Store
from explorer.ui.explore import case_calls as case
from explorer.ui.explore import panel_calls as tables
from explorer.ui.explore import slice_calls as gallery
from explorer.ui.shared.services import Services
from tests.support.brute_force import NAME
from tests.support.damages import Damage, damaged, delete, flip, junk
from tests.support.sealed import sealed, write_sealed
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import open_menu, sentence, wait_until_shown
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.slow

OWN = ("cases.parquet", "labels.parquet", "boxes.parquet", "manifest.json")
OF_ONE = (
    "models/one.json",
    "operating_points/one.parquet",
    "predictions/one/part-00001.parquet",
    "embeddings/one/part-00000.parquet",
)
CALLS: dict[str, dict[str, object]] = {
    "slice_page": {},
    "slice_counts": {"key": "finding"},
    "slice_reveal": {"cases": [opaque_id(NAME, "case", "film 3"), opaque_id("small", "case", "3")]},
    "slice_export": {"kind": "sql"},
    "slice_asked": {},
    **dict.fromkeys(
        ("case_place", "case_facts", "case_others", "case_film", "case_masks", "case_maps", "case_report", "case_near"),
        {},
    ),
    **dict.fromkeys(("cell_table", "prevalence", "two_slices", "confused_with", "label_issues"), {}),
}
CHANGING = (
    "left_out",
    "facets_version",
    "done",
    "complete",
    "computing",
    "figure",
)  # told apart; or computed in the background
INTERVAL = ("low", "high")  # of a point: there or not yet, as the background goes on
ASKED = {(NAME, "one"): "film 3", (NAME, "other"): "film 3", ("small", "reader"): "3"}
Json = Mapping[str, Any]
Who = tuple[str, str]  # a cohort and a model of it


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_sealed(tmp_path)
    films = [Film(f"{n}", {"Mass": "present"}, {"Mass": n / 9}) for n in range(9)]
    sealed(write_small(tmp_path, films, {"Mass": 0.4}))
    return tmp_path


def answers(place: Path, *asked: Who) -> dict[Who, dict[str, Json]]:
    """What a server that has just begun says to every call, about one model after the other."""
    store = Store(lambda: [Folder(path) for path in sorted(place.iterdir())])
    intervals = IntervalsJob(store, resamples=20)
    services = Services(store, Images({}, list), None, intervals)
    offered = {call.__name__: call for part in (gallery, case, tables) for call in part.calls(services)}
    said: dict[Who, dict[str, Json]] = {}
    for cohort, model in asked:
        state = {"cohort": opaque_id(cohort), "model": opaque_id(cohort, "model", model)}
        sent = {"state": state, "case": opaque_id(cohort, "case", ASKED[cohort, model])}
        said[cohort, model] = {name: json.loads(json.dumps(offered[name](sent | more))) for name, more in CALLS.items()}
    intervals.close()
    store.close()
    return said


def is_the_same(one: Json, other: Json) -> bool:
    return _kept(one) == _kept(other)


def _kept(answer: Json) -> Json:
    kept = {key: value for key, value in answer.items() if key not in CHANGING}
    if kept.get("stage") == "export":
        kept["name"] = re.sub(r"_\d{8}-\d{4}_", "_", kept["name"])
        return {key: value for key, value in kept.items() if key != "data"}  # both hold the time
    if kept.get("stage") == "scatter":
        kept["points"] = [{key: each[key] for key in each if key not in INTERVAL} for each in kept["points"]]
    return kept


def is_told(file: str, damage: Damage, answer: Json) -> bool:
    """The answer names the file; or it says that the cohort or the model is not there, as where it was deleted."""
    words = json.dumps([answer.get(key) for key in ("title", "detail", "left_out", "notes", "complaints")])
    of_model = file.startswith("models/") or file == "manifest.json"
    gone = ("has not scored", "not on this machine", "This case is not in the cohort")
    return file in words or (damage is delete and of_model and any(each in words for each in gone))


@pytest.mark.parametrize("damage", [flip, junk, delete], ids=lambda damage: damage.__name__)
def test_a_call_gives_the_same_answer_or_names_the_file(place: Path, damage: Damage) -> None:
    before = answers(place, *ASKED)
    assert {answer["stage"] for answer in before["small", "reader"].values()} > {"slice", "export", "table"}
    for file in (*OWN, *OF_ONE):
        with damaged(place / NAME / file, damage, seed=2):
            # Without it the model is as if it had never scored the cohort: an address that names it is corrected.
            no_model = damage is delete and file == "models/one.json"
            for who, said in answers(place, *(each for each in ASKED if not (no_model and each[0] == NAME))).items():
                for call, answer in said.items():
                    same = is_the_same(answer, before[who][call])
                    if call == "slice_page" and who[0] != NAME:
                        same = answer["items"] == before[who][call]["items"]  # there is one cohort less to choose
                    assert same or is_told(file, damage, answer), (file, who, call, answer)


def test_what_is_left_out_is_named_on_every_page(place: Path, wording: Wording) -> None:
    (place / NAME / "models" / "one.json").write_text("{")
    for who in ((NAME, "other"), ("small", "reader")):
        page = answers(place, who)[who]["slice_page"]
        assert page["stage"] == "slice" and page["complaints"] == []
        (line,) = page["left_out"]
        assert "models/one.json" in line and NAME in line
        wording(line)
    (note,) = answers(place, (NAME, "other"))[NAME, "other"]["case_others"]["notes"]
    assert "models/one.json" in note and NAME in note
    wording(note)


def test_a_refusal_brings_what_else_there_is(place: Path, wording: Wording) -> None:
    (place / NAME / "predictions" / "one" / "part-00000.parquet").unlink()
    page = answers(place, (NAME, "one"))[NAME, "one"]["slice_page"]
    assert page["stage"] == "refused" and page["title"].startswith(f"{NAME}: predictions/one/part-00000.parquet")
    wording(page["title"])
    assert [each["name"] for each in page["facets"]["cohort"]] == [NAME, "small"]
    assert [each["name"] for each in page["facets"]["model"]] == ["one", "other"]
    assert page["changes"] == {"cohort": opaque_id(NAME), "model": opaque_id(NAME, "model", "one")}


def test_a_visitor_goes_from_what_is_damaged_to_what_is_whole(new_changer: NewVisitor, wording: Wording) -> None:
    page = new_changer(cohort=opaque_id(NAME))
    expect(page.locator(".explore")).to_have_attribute("data-state", "refused")
    wording(text_with(page.locator(".refusal-title"), "part-00000.parquet"))
    expect(page.locator(".explore-left-out")).to_contain_text("models/second.json")
    open_menu(page, "model")
    page.get_by_role("option", name="other").click()
    wait_until_shown(page)
    assert "by other in rows" in sentence(page)
    open_menu(page, "cohort")
    page.get_by_role("option", name="clinic").click()
    wait_until_shown(page)
    assert "by first in clinic" in sentence(page)
    wording(text_with(page.locator(".explore-left-out"), "models/second.json"))
