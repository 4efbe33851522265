"""What the page asks of marks and lists: kept, said of tiles and cases, nothing while labels are hidden."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.case_marks import marks_file
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.store.store import Store
from explorer.ui.explore import case_calls, list_calls, mark_calls, slice_calls
from explorer.ui.shared.services import Services
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording

LIST = "For Tuesday"


class Room:
    """A page's services on a small cohort."""

    def __init__(self, place: Path) -> None:
        films = [Film(f"film/{n}", {"Mass": ("present", "absent")[n % 2]}, {"Mass": n / 10}) for n in range(8)]
        self.folder: Folder = write_small(place, films, {"Mass": 0.5})
        store = Store(lambda: [self.folder])
        self.job = IntervalsJob(store, resamples=20)
        self.services = Services(store, Images(), None, self.job)
        parts = (slice_calls, case_calls, mark_calls, list_calls)
        self.calls = {call.__name__: call for part in parts for call in part.calls(self.services)}

    def __call__(self, call: str, words: dict[str, str] | None = None, /, **more: object) -> Any:  # noqa: ANN401 - JSON
        answer = self.calls[call]({"state": words or {}} | more)
        json.dumps(answer)
        return answer

    @property
    def tiles(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self("slice_page", {"outcome": "miss"})["items"]
        return found


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.job.close()


def test_a_case_is_starred_tagged_and_noted_and_tiles_and_filters_say_so(room: Room) -> None:
    first, second, _ = room.tiles
    before = room("slice_page", {"outcome": "miss"})["facets_version"]
    nothing: dict[str, object] = dict.fromkeys(("tags", "known", "lists", "every"), [])
    nothing |= {"stage": "mark", "starred": False, "note": "", "longest": 2000}
    assert room("case_mark", case=first["id"]) == nothing
    room("case_mark", case=first["id"], starred=True)
    room("case_mark", case=first["id"], tags=["Subtle", " apex"])
    said = room("case_mark", case=first["id"], note="look")
    assert (said["starred"], said["tags"], said["note"]) == (True, ["apex", "subtle"], "look")
    assert [tile["starred"] for tile in room.tiles] == [True, False, False]
    page = room("slice_page", {"outcome": "miss"}, known=before)
    assert [each["name"] for each in page["facets"]["marked"]] == [
        "in any way", "starred", "with a note", "tag: apex", "tag: subtle"
    ]  # fmt: skip
    tag = page["facets"]["marked"][3]["word"]
    assert "apex" not in tag
    found = room("slice_page", {"outcome": "miss", "marked": tag})
    assert [tile["id"] for tile in found["items"]] == [first["id"]]
    assert ", tagged \u201capex\u201d" in found["sentence"]
    counts = room("slice_counts", {"outcome": "miss"}, key="marked")["films"]
    assert counts["starred"] == counts[tag] == 1
    assert room("case_facts", {"outcome": "miss", "marked": "starred"}, case=second["id"])["in_slice"] is False
    assert room("case_facts", {"outcome": "miss", "marked": "starred"}, case=first["id"])["in_slice"] is True


def test_the_facts_of_a_case_begin_with_its_image_id_and_hold_no_note(room: Room) -> None:
    tile = room.tiles[0]
    room("case_mark", case=tile["id"], note="for nobody else")
    facts = room("case_facts", case=tile["id"])
    assert facts["about"][0] == ("Image id", tile["case"])
    for kind in ("csv", "sql"):
        assert b"nobody else" not in b64decode(room("slice_export", {"marked": "noted"}, kind=kind)["data"])
    assert "nobody else" not in json.dumps([facts, room("slice_page", {"marked": "noted"})])


def test_a_list_is_filled_shown_renamed_exported_read_back_and_deleted(room: Room, wording: Wording) -> None:
    ids = [tile["id"] for tile in room.tiles]
    said = room("list_added", name=f" {LIST} ", cases=[*ids[:2], "nobody"], findings={ids[0]: "Mass", ids[1]: "No"})
    assert said["said"] == "2 cases in For Tuesday."
    (made,) = said["lists"]
    assert (made["name"], made["cases"]) == (LIST, 2) and LIST not in made["word"]
    assert [tile["id"] for tile in room("slice_page", {"marked": made["word"]})["items"]] == ids[:2]
    assert room("case_mark", case=ids[0])["lists"] == [LIST]
    room("case_mark", case=ids[0], note="secret")
    exported = room("list_exported", name=LIST, kind="csv")
    rows = list(csv.DictReader(io.StringIO(b64decode(exported["data"]).decode(), newline="")))
    assert [row["finding"] for row in rows] == ["Mass", ""] and "note" not in rows[0]
    told = b64decode(room("list_exported", name=LIST, kind="json", notes=True)["data"]).decode()
    assert "secret" in told
    some = b64decode(room("cases_exported", cases=ids[1:], findings={ids[1]: "Mass"})["data"]).decode()
    first, second = csv.DictReader(io.StringIO(some, newline=""))
    assert (first["outcome"], second["outcome"], first["case"]) == ("miss", "", room.tiles[1]["case"])
    assert "secret" not in some
    assert room("list_without", name=LIST, cases=ids[:1])["lists"][0]["cases"] == 1
    assert room("list_renamed", name=LIST, new="Later")["lists"][0]["name"] == "Later"
    back = room("list_imported", name="", parts=[told[:10], told[10:]])
    assert "2 cases" in back["said"] and len(back["lists"]) == 2
    wording(back["said"])
    name = room.tiles[0]["case"]
    other = room("list_imported", name="Monday", parts=[f"case;tags\n{name}.png;new\n;\nno"])
    assert "1 case added" in other["said"] and f"'{name}.png' is '{name}' of small" in other["said"]
    wording(other["said"])
    deleted, again = room("list_deleted", name="Later"), room("list_deleted", name="Later")
    assert "Later" in deleted["said"] and "'Later'" in again["title"]
    wording(deleted["said"])
    wording(again["title"])
    assert room("case_mark", case=ids[0])["note"] == "secret"


def test_several_are_starred_at_once_and_no_more_than_a_page_can_show(room: Room, wording: Wording) -> None:
    ids = [tile["id"] for tile in room.tiles]
    assert room("cases_starred", cases=ids, on=True)["starred"] == ids
    assert room("cases_starred", cases=ids[:1], on=False)["starred"] == []
    assert [tile["starred"] for tile in room.tiles] == [False, True, True]
    refused = room("cases_starred", cases=[str(n) for n in range(501)], on=True)
    assert refused["stage"] == "refused" and "500" in refused["title"]
    wording(refused["title"])


@pytest.mark.parametrize("name", [*[call.__name__ for call in list_calls._QUESTIONS], "case_mark", "cases_starred"])
def test_while_labels_are_hidden_nothing_is_said_or_changed(room: Room, name: str) -> None:
    ids = [tile["id"] for tile in room.tiles]
    room("list_added", name=LIST, cases=ids)
    before = marks_file(room.folder).read_bytes()
    answer = room(name, {"hide": "1"}, name=LIST, new="x", cases=ids, case=ids[0], starred=True, parts=["case\nx"])
    assert answer["stage"] == "refused" and marks_file(room.folder).read_bytes() == before
    page = room("slice_page", {"hide": "1"})
    assert "marked" not in page["facets"] and all("starred" not in tile for tile in page["items"])


def test_where_nothing_can_be_written_the_page_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    reason = "No space left on device"

    def full(*_: object) -> None:
        raise OSError(28, reason)

    monkeypatch.setattr("explorer.store.cohort_files.change_marks", full)
    answer = room("case_mark", case=room.tiles[0]["id"], starred=True)
    assert answer["stage"] == "refused" and reason in answer["detail"]
    wording(answer["title"])
    assert room("list_imported", name="x", parts=[f"case\n{room.tiles[0]['case']}\n"])["title"].startswith("The list")
