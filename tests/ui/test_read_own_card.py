"""Read with a model of the user's own: the shipped weights behind another card."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from models.cards.card import REGISTRY
from tests.ui.conftest import NewVisitor, Server, start, stop
from tests.ui.reading_room import above, open_sample, wait_until_joined

POINT = 'threshold = 0.001\nrule = "for a test"\nsensitivity = 1.0\nspecificity = 0.0\npositives = 47\nnegatives = 9\n'


@pytest.fixture(scope="module")
def own_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with a card of another name, to a cohort another model; its only threshold is one it warns of."""
    folder = tmp_path_factory.mktemp("own")
    text = (REGISTRY / "nih-mini.toml").read_text(encoding="utf-8").replace('name = "nih-mini"', 'name = "another"')
    card = folder / "another.toml"
    card.write_text(text[: text.index("[operating_points")] + '[operating_points."Mass"]\n' + POINT, encoding="utf-8")
    server = start(folder, "--model", str(card))
    yield server
    stop(server)


def test_a_doubtful_finding_is_marked_but_not_announced(own_card: Server, new_visitor: NewVisitor) -> None:
    page = new_visitor(own_card.url)
    open_sample(page)
    assert above(page, "true") == ["Mass"]
    expect(page.locator(".word-title")).to_have_text("Only doubtful findings above threshold.")
    expect(page.locator(".finding[data-finding=Mass] .finding-doubt")).to_have_text("?")
    expect(page.locator(".doubt")).to_contain_text("better than chance")


def test_a_film_of_another_model_is_not_compared(own_card: Server, new_visitor: NewVisitor) -> None:
    page = new_visitor(own_card.url)
    open_sample(page)
    wait_until_joined(page)
    expect(page.locator(".alike")).to_contain_text("This film cannot be compared with a cohort")
    expect(page.locator(".alike")).to_contain_text("read by another; nih-oof holds the scores of nih-mini")
    expect(page.locator(".alike-case")).to_have_count(0)
    expect(page.locator(".numbers")).to_contain_text("This film cannot be compared with a cohort")
    expect(page.locator(".numbers")).not_to_contain_text("In nih-oof")
