"""A learner whose connection comes and goes: nothing is lost, nothing counts twice, and what is wrong is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.classroom.classroom import Classroom
from tests.support.prepared_class import prepared_class
from tests.support.wording import Wording
from tests.ui.axe import assert_accessible
from tests.ui.class_room import ELSEWHERE, OFFLINE, address, join, phone, sure, under_another_name, until
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


def normal(page: Page) -> None:
    page.get_by_role("radio", name="Normal", exact=True).check()


def has_a_network_again(page: Page) -> None:
    """What a browser tells: then nothing waits for the next try, which is seconds away after some."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_an_answer_that_was_not_sent_arrives_once_after_a_reload(chromium: Browser, lesson: Classroom) -> None:
    with phone(chromium) as page:
        join(page, lesson, "Grace")
        lesson.go(2)
        until(page, "question")
        page.route("**/answer", lambda route: route.abort())
        normal(page)
        sure(page)
        until(page, "answered")
        expect(page.locator(".class-status")).to_contain_text(OFFLINE)
        expect(page.get_by_text("On its way.")).to_be_visible()
        page.reload()
        until(page, "answered")
        assert lesson.board()["answered"] == 0
        page.unroute_all()
        has_a_network_again(page)
        expect(page.get_by_text("Your answer has arrived")).to_be_visible()
        expect(page.locator(".class-status")).to_be_hidden()
        assert lesson.board()["answered"] == 1
        assert page.evaluate("JSON.parse(localStorage['tailscope-class']).answers") == {}


def test_what_was_not_sent_before_the_end_is_told_and_the_next_class_is_another(
    chromium: Browser, lesson: Classroom
) -> None:
    with phone(chromium) as page:
        join(page, lesson, "Ada")
        lesson.go(2)
        until(page, "question")
        page.route("**/answer", lambda route: route.abort())
        normal(page)
        sure(page)
        until(page, "answered")
        lesson.end()
        until(page, "ended")
        expect(page.get_by_text("One answer was not sent before the end")).to_be_visible()
        page.unroute_all()
        lesson.begin(prepared_class())
        page.reload()
        until(page, "outside")
        assert page.evaluate("localStorage.length") == 0


def test_an_acknowledgment_that_was_lost_makes_no_second_answer(chromium: Browser, lesson: Classroom) -> None:
    with phone(chromium) as page:
        join(page, lesson, "Edith")
        lesson.go(2)
        until(page, "question")
        lost: list[int] = []

        def lose(route) -> None:  # noqa: ANN001 - Playwright's
            if lost:
                return route.continue_()
            lost.append(route.fetch().status)
            return route.abort()

        page.route("**/answer", lose)
        normal(page)
        sure(page, "certain")
        expect(page.get_by_text("Your answer has arrived")).to_be_visible()
        assert lost == [200]
        assert lesson.board()["answered"] == 1


def test_an_answer_that_is_refused_is_said_and_another_can_be_given(chromium: Browser, lesson: Classroom) -> None:
    refusal = {"title": "The question is not answered yet", "detail": "Choose one of the two."}
    with phone(chromium) as page:
        join(page, lesson, "Ada")
        lesson.go(2)
        until(page, "question")
        page.route("**/answer", lambda route: route.fulfill(status=400, json=refusal))
        normal(page)
        sure(page)
        expect(page.get_by_role("alert")).to_have_text(f"{refusal['title']}. {refusal['detail']}")
        assert page.evaluate("JSON.parse(localStorage['tailscope-class']).answers") == {}
        page.unroute_all()
        normal(page)
        sure(page)
        expect(page.get_by_text("Your answer has arrived")).to_be_visible()
        assert lesson.board()["answered"] == 1


def test_the_first_answer_of_two_windows_stands_and_is_shown(chromium: Browser, lesson: Classroom) -> None:
    with phone(chromium) as page:
        join(page, lesson, "Ada")
        lesson.go(2)
        until(page, "question")
        other = page.context.new_page()
        other.route("**/state?since=*", lambda route: route.abort())  # it hears of nothing new
        other.goto(page.url)
        until(other, "question")
        normal(page)
        sure(page)
        until(page, "answered")
        other.get_by_role("radio", name="Not normal").check()
        sure(other, "certain")
        expect(other.get_by_text("The first answer stands.")).to_be_visible()
        other.unroute_all()
        has_a_network_again(other)
        expect(other.get_by_text("Your answer: normal, probable")).to_be_visible()


def test_an_answer_to_another_class_is_not_sent_to_this_one(chromium: Browser, lesson: Classroom) -> None:
    with phone(chromium) as page:
        page.goto(address(lesson))
        stale = '{"code": "OLD", "answers": {"2": {"sure": 1, "normal": false}}}'
        page.evaluate("stale => localStorage.setItem('tailscope-class', stale)", stale)
        join(page, lesson, "Lise")
        lesson.go(2)
        until(page, "question")
        assert lesson.board()["answered"] == 0


def test_a_learner_who_is_removed_is_told(chromium: Browser, lesson: Classroom, wording: Wording) -> None:
    with phone(chromium) as page:
        join(page, lesson, "Ada")
        lesson.go(2)
        until(page, "question")
        lesson.remove("Ada", keep=False, again=False)
        told = page.get_by_role("alert")
        wording(text_with(told))
        assert_accessible(page)
        page.reload()
        wording(text_with(told))
        page.get_by_label("Nickname").fill("Eve")
        page.get_by_role("button", name="Join").click()
        expect(told).to_contain_text("cannot join again")
        assert lesson.board()["learners"] == []


def test_only_in_the_network_a_learner_is_told_what_others_can_read(chromium: Browser, lesson: Classroom) -> None:
    with phone(chromium) as page:
        under_another_name(page, address(lesson))
        page.goto(f"{ELSEWHERE}#{lesson.board()['code']}")
        expect(page.get_by_text("Not encrypted: others in this network can read your nickname")).to_be_visible()
        assert_accessible(page)


def test_a_wrong_code_and_no_answer_are_said(chromium: Browser, lesson: Classroom, wording: Wording) -> None:
    with phone(chromium) as page:
        page.goto(address(lesson))
        assert_accessible(page)
        expect(page.get_by_label("Class code")).to_have_value(lesson.board()["code"])
        expect(page.get_by_text("Not encrypted")).to_have_count(0)
        page.get_by_label("Class code").fill("CCCCCC")
        page.get_by_label("Nickname").fill("Ada")
        page.get_by_role("button", name="Join").click()
        wording(text_with(page.get_by_role("alert"), "code"))
        page.route("**/join", lambda route: route.abort())
        page.get_by_role("button", name="Join").click()
        wording(text_with(page.get_by_role("alert"), "answer"))
