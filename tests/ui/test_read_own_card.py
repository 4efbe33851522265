"""Read with a model of the user's own: the shipped weights behind another card."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from models.cards.registry import REGISTRY
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.reading_room import open_sample, read_at, wait_until_joined
from tests.ui.text_shown import text_with

POINT = 'threshold = 0.001\nrule = "for a test"\nsensitivity = 1.0\nspecificity = 0.0\npositives = 47\nnegatives = 9\n'
MASS = '\n[operating_points."Mass"]\n' + POINT


@pytest.fixture(scope="module")
def own_card(models_server: Server) -> Iterator[str]:
    """The address of Read with a card of another name, to a cohort another model; of its thresholds one is of a finding
    that it warns of, one of a finding that it cannot judge.
    """
    text = (REGISTRY / "nih-mini.toml").read_text(encoding="utf-8").replace('name = "nih-mini"', 'name = "another"')
    card = models_server.own_models / "another.toml"
    card.write_text(
        text[: text.index("[operating_points")] + '[operating_points."Pneumonia"]\n' + POINT + MASS, encoding="utf-8"
    )
    yield f"{models_server.url}/#read?model=another"
    card.unlink()


@pytest.fixture(scope="module")
def page(chromium: Browser, own_card: str) -> Iterator[Page]:
    """RG1 read by that model, for tests that look at it: what the last one chose or unfolded is still so."""
    with read_at(chromium, own_card) as page:
        open_sample(page)
        yield page


def test_a_doubtful_finding_is_marked_but_not_announced(page: Page, wording: Wording) -> None:
    wording(text_with(page.locator(".word-title")))
    expect(page.locator(".finding[data-finding=Pneumonia] .finding-doubt")).to_have_text("?")
    wording(text_with(page.locator(".doubt"), "Unreliable"))


def test_a_film_of_another_model_is_not_compared(page: Page, wording: Wording) -> None:
    wait_until_joined(page)
    compared = text_with(page.locator(".alike"), "cannot be compared")
    assert "nih-oof" in compared and "nih-ensemble" in compared and "phantom" in compared
    wording(re.sub(r"the scores of [^.;]+", "the scores of (models)", compared))
    expect(page.locator(".alike-case")).to_have_count(0)
    expect(page.locator(".numbers")).to_contain_text("cannot be compared")
    expect(page.locator(".numbers")).not_to_contain_text("In nih-oof")


def test_what_the_model_cannot_judge_is_in_a_group_of_its_own(page: Page, wording: Wording) -> None:
    group = page.locator(".group", has_text="Cannot judge (4)")
    expect(group.locator("[data-state='cannot judge']")).to_have_count(4)
    expect(page.locator(".word-detail")).to_contain_text("This model cannot judge ")
    expect(group.locator(".finding").first).to_be_hidden()
    group.locator("summary").click()
    mass = group.locator("[data-finding=Mass]")  # far above its threshold, which says nothing
    for figure in (".finding-score", ".finding-margin"):
        expect(mass.locator(figure)).to_have_text("\u2013")
    expect(mass.locator(".bar")).to_have_count(0)
    mass.click()
    wording(text_with(page.locator(".doubt"), "cannot judge"))
    expect(page.locator(".film-side")).to_contain_text("cannot judge Mass")
