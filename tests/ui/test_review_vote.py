"""A reader's vote in a browser: uncertain suggestions, side and place, by hand on a phone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.reviews.review import Site
from tests.explorer.school.reviews.served_review import ServedRoom, served_review
from tests.ui.axe import assert_accessible
from tests.ui.class_room import ELSEWHERE, PHONE, phone, too_small, too_wide, under_another_name
from tests.ui.simulate_room import SLOW

pytestmark = pytest.mark.browser


def enter(page: Page, room: ServedRoom, reader: int) -> None:
    page.set_default_timeout(SLOW)
    page.goto(f"http://127.0.0.1:{room.port}/#{room.database.codes[reader]}")
    page.get_by_role("button", name="Enter").click()
    page.locator(".class-stage[data-loaded]").wait_for()


def test_only_in_the_network_a_reader_is_told_what_others_can_read(chromium: Browser, tmp_path: Path) -> None:
    with served_review(tmp_path, [()]) as room, phone(chromium) as page:
        here = f"http://127.0.0.1:{room.port}/"
        page.goto(here)
        expect(page.get_by_label("Your code")).to_be_visible()
        expect(page.get_by_text("Not encrypted")).to_have_count(0)
        under_another_name(page, here)
        page.goto(ELSEWHERE)
        expect(page.get_by_text("Not encrypted: others in this network can read your code and votes")).to_be_visible()


def test_an_uncertain_suggestion_is_decided_and_findings_get_side_and_place(chromium: Browser, tmp_path: Path) -> None:
    with served_review(tmp_path, [("Pleural Effusion",)], uncertain=("Nodule",)) as room, phone(chromium) as page:
        enter(page, room, 0)
        expect(page.locator(".review-label")).to_have_text(["Pleural Effusion", "Uncertain: Nodule"])
        expect(page.locator(".review-where")).to_be_hidden()
        page.get_by_role("radio", name="Agree all").check()
        page.get_by_text("Side and place").click()
        expect(page.locator(".review-site-name")).to_have_text(["Pleural Effusion"])  # the nodule stays uncertain
        page.get_by_label("Pleural Effusion: side of the patient").select_option("both")
        page.get_by_role("radio", name="Agree mostly").check()
        page.locator(".review-finding", has_text="Nodule").get_by_role("combobox").select_option("present")
        page.get_by_label("Nodule: side of the patient").select_option("left")
        page.get_by_label("Nodule: place").select_option("upper zone")
        expect(page.get_by_label("Pleural Effusion: side of the patient")).to_have_value("both")
        assert too_wide(page) == [] and too_small(page) == []
        assert_accessible(page)
        page.get_by_role("button", name="Save and go on").click()
        expect(page.get_by_role("heading", name="All done")).to_be_visible()
        vote = room.database.last_vote(0, 0)
        assert vote is not None and vote.added == {"Nodule"} and not vote.removed
        assert vote.sites == {"Pleural Effusion": Site("both"), "Nodule": Site("left", "upper zone")}

        page.get_by_role("button", name="Change my last vote").click()
        expect(page.get_by_label("Nodule: place")).to_have_value("upper zone")
        page.locator(".review-finding", has_text="Nodule").get_by_role("combobox").select_option("absent")
        page.get_by_role("button", name="Save and go on").click()
        expect(page.get_by_role("heading", name="All done")).to_be_visible()
        vote = room.database.last_vote(0, 0)
        assert vote is not None and vote.removed == {"Nodule"}
        assert vote.sites == {"Pleural Effusion": Site("both")}


def test_a_reader_may_say_nothing_of_side_and_place(chromium: Browser, tmp_path: Path) -> None:
    with served_review(tmp_path, [None]) as room, closing(chromium.new_context(viewport={**PHONE})) as context:
        page = context.new_page()
        enter(page, room, 0)
        page.get_by_role("checkbox", name="Mass").check()
        page.get_by_role("button", name="Save and go on").click()
        expect(page.get_by_role("heading", name="All done")).to_be_visible()
        vote = room.database.last_vote(0, 0)
        assert vote is not None and vote.added == {"Mass"} and not vote.sites
