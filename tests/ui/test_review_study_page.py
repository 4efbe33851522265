"""From a review's votes to the table of readers and models on Teach, the votes as a file, and Evaluate's curves."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.figures import figure_text
from explorer.metrics.multireader import multireader
from explorer.store.filter_kinds import as_word
from explorer.tabular.reader_study import read_reader_study
from explorer.ui.shared.links import cohort_id, model_id
from tests.explorer.school.reviews.studied_review import FILMS, FINDING, READERS, new_study, read_study
from tests.ui.app_server import Server, start, stop
from tests.ui.axe import assert_accessible_at
from tests.ui.simulate_room import SLOW
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The app; commands of this process have the same home."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    running = start(tmp_path, home=home)
    yield running
    stop(running)


def test_votes_become_a_table_of_readers_and_models(chromium: Browser, app: Server, tmp_path: Path) -> None:
    new_study("study")
    truth, ratings = read_study("study")
    mean = multireader(truth, ratings[None]).mean(0)
    with windows(chromium).window(1440, 900, Kind()) as desk:
        desk.set_default_timeout(SLOW)
        desk.goto(f"{app.url}/#teach?section=reviews")
        line = desk.locator("[data-review=study]")
        line.get_by_role("button", name="Readers beside models").click()
        means = line.get_by_role("region", name="Mean AUROC of the readers")
        expect(means).to_contain_text(figure_text(mean.value, max(mean.low, 0), min(mean.high, 1)))
        expect(line.get_by_role("region", name="Models against readers")).to_contain_text("phantom")
        expect(line.locator(".review-study-finding")).to_have_value(FINDING)
        expect(line).to_contain_text("Truth: the labels that count in phantom.")
        for width in (1440, 390):
            assert_accessible_at(desk, width, within=".reviews-section")
        desk.set_viewport_size({"width": 1440, "height": 900})
        with desk.expect_download() as download:
            line.get_by_role("button", name="Save ratings as CSV").click()
        download.value.save_as(tmp_path / "ratings.csv")
        saved = read_reader_study(tmp_path / "ratings.csv")
        assert saved.readers == ("R1", "R2", "R3")
        assert multireader(saved.truth, saved.ratings).mean(0).value == pytest.approx(mean.value)
        with desk.expect_download() as download:
            line.get_by_role("button", name="Save the votes").click()
        assert download.value.suggested_filename == "votes-study.csv"
        download.value.save_as(tmp_path / "votes.csv")
        rows = list(csv.DictReader((tmp_path / "votes.csv").read_text(encoding="utf-8").splitlines()))
        assert len(rows) == READERS * FILMS
        line.get_by_role("button", name="Agreement").click()
        expect(line.get_by_role("region", name="Pairs of readers, by finding")).to_contain_text("R1 and R2")

        words = {"cohort": cohort_id("phantom"), "models": model_id("phantom", "phantom"), "panel": "finding"}
        desk.goto("about:blank")
        desk.goto(f"{app.url}/#evaluate?{urlencode(words | {'finding': as_word(FINDING)})}")
        groups = desk.locator(".finding-groups")
        groups.locator("summary").click()
        expect(groups.get_by_role("table")).to_contain_text("most of the review study")
        expect(groups.get_by_role("table")).to_contain_text("R3, the review study")
