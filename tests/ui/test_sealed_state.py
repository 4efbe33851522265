"""Explore's state while labels are hidden: what tells is sealed in what the script gets, and opened for the server."""

from __future__ import annotations

import base64
from typing import Any, cast
from urllib.parse import urlencode

import pytest

from explorer.school.class_file.sealed import MAX_CODE_CHARS, Seal
from explorer.store.filter_registry import FILTERS
from explorer.ui.explore.sealed_state import READABLE_WORDS, REVEALING_WORDS, SealedStates

SEAL = Seal(b"k" * 32)
SLICE = {"cohort": "c", "model": "m", "finding": "mass", "outcome": "miss", "view": "pa"}
HIDDEN = SLICE | {"ask": "a mass", "hide": "1", "shuffle": "7"}


class Page:
    """A server function that answers as `slice_page` does, and remembers which state it got."""

    def __init__(self, **changes: str | None) -> None:
        self.changes = changes
        self.call = SealedStates(lambda: SEAL).unsealed_call(self.slice_page)

    def slice_page(self, sent: object) -> dict[str, Any]:
        self.got = cast(dict[str, Any], sent)["state"]
        return {"stage": "slice", "changes": self.changes}

    def ask(self, state: dict[str, Any]) -> dict[str, Any]:
        """The state that the script has afterwards."""
        changes = cast(dict[str, Any], self.call({"state": state}))["changes"]
        return {name: value for name, value in {**state, **changes}.items() if value is not None}


def test_what_is_hidden_leaves_the_script_and_comes_back_when_it_is_shown() -> None:
    page = Page()
    kept = page.ask(HIDDEN)
    assert page.got == HIDDEN
    assert set(kept) == {"cohort", "model", "view", "hide", "shuffle", "sealed"}
    assert page.ask(kept) == kept and page.got == HIDDEN  # the same films again, under the same code
    assert Page().ask({"sealed": kept["sealed"], "hide": "1"}) == kept  # somebody follows the link
    shown = {name: value for name, value in kept.items() if name not in ("hide", "shuffle")}
    assert page.ask(shown) == SLICE | {"ask": "a mass"}


def test_what_does_not_tell_can_be_chosen_while_the_rest_is_hidden() -> None:
    page = Page(page="2", outcome="hit")
    kept = page.ask(HIDDEN)
    del kept["view"]
    then = page.ask(kept)
    assert "view" not in page.got and page.got["finding"] == "mass" and page.got["outcome"] == "hit"
    assert "view" not in then and then["page"] == "2" and then["sealed"] != kept["sealed"]
    called = page.call({"state": kept})
    assert cast(dict[str, Any], called)["filtered"] is True
    assert cast(dict[str, Any], Page().call({"state": {"hide": "1"}}))["filtered"] is False


def test_every_filter_that_tells_is_sealed_and_no_other() -> None:
    assert all((word.name in REVEALING_WORDS) == each.tells for each in FILTERS for word in each.words)
    assert not REVEALING_WORDS & set(READABLE_WORDS)


def test_a_link_from_before_links_were_sealed_still_opens_and_is_sealed_anew() -> None:
    code = base64.urlsafe_b64encode(urlencode(HIDDEN).encode()).decode().rstrip("=")
    page = Page()
    kept = page.ask({"sealed": code, "hide": "1"})
    assert page.got == HIDDEN and kept == Page().ask(HIDDEN)
    assert SEAL.open(kept["sealed"])


NO_CODES = {
    "odd": "%",
    "empty": "",
    "words that hide nothing": "YT1i",
    "cut": SEAL.close("finding=mass")[:-4],
    "of another key": Seal(b"o" * 32).close("finding=mass&hide=1"),
    "a number": 7,
}


@pytest.mark.parametrize("code", NO_CODES.values(), ids=NO_CODES)
def test_a_code_that_does_not_open_stays_hidden_and_is_told(code: object) -> None:
    page = Page(broken=None)
    kept = page.ask({"sealed": code, "hide": "1"})
    assert page.got == {"broken": "1", "hide": "1"} and kept["hide"] == "1" and "broken" not in kept


def test_what_was_never_hidden_is_answered_as_it_is() -> None:
    page = Page(page="2")
    assert page.ask(SLICE) == SLICE | {"page": "2"}
    assert page.call({"state": SLICE}) == {"stage": "slice", "changes": {"page": "2"}}


def test_a_link_for_a_class_has_the_code_of_its_words() -> None:
    states = SealedStates(lambda: SEAL)
    made = states.slice_sealed({"state": HIDDEN})
    assert made["stage"] == "sealed" and made["seal"] == Page().ask(HIDDEN)["sealed"]
    long = states.slice_sealed({"state": {"finding": "x" * MAX_CODE_CHARS}})
    assert long["stage"] == "refused" and "too long" in long["title"]
