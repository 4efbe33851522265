"""The teacher's side of a class: begun, driven by keys alone on a projector, ended; the class is really served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.classroom.classroom import Classroom
from models.statistics import wilson
from tests.support.prepared_class import CLOSING, NOTE
from tests.support.wording import Wording
from tests.ui.axe import assert_accessible
from tests.ui.class_desk import Device, calls_of, font_size, small_type, teacher
from tests.ui.class_room import class_room
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser

BOTH = "Pleural Effusion (right) and Mass (left)"
Learners = Callable[..., list[Device]]
SECRETS = (NOTE, CLOSING, "the simulator: exact", "phantom-mini")


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    with class_room(tmp_path_factory.mktemp("class")) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, classroom: Classroom, tmp_path: Path) -> Iterator[Page]:
    with teacher(chromium, calls_of(classroom, tmp_path)) as page:
        yield page
    if classroom.board()["running"]:
        classroom.end()


def begin(page: Page, pace: str = "I show the films") -> None:
    another = page.get_by_role("button", name="Begin another class")
    begins = page.get_by_role("button", name="Begin class")
    expect(begins.or_(another)).to_be_visible()
    if another.is_visible():
        another.click()
    page.get_by_label(pace).check()
    expect(page.get_by_label("Playlist")).to_have_text("Chest films (5 films)")
    begins.click()
    expect(page.get_by_text("3 of 5 films made ready")).to_be_visible()
    expect(page.locator(".class-desk")).to_be_visible()


@pytest.fixture
def learners(page: Page) -> Iterator[Learners]:
    """Join by the address and the code that stand on the teacher's page."""
    with ExitStack() as devices:

        def join(*names: str) -> list[Device]:
            address = page.locator(".class-address").first.inner_text()
            code = page.locator(".class-code").first.inner_text()
            return [devices.enter_context(closing(Device(address, code, name))) for name in names]

        yield join


def percent(hits: int, n: int) -> str:
    low, high = wilson(hits, n)
    rate = f": {100 * hits / n:.0f}\u00a0% [{100 * low:.0f}\u2013{100 * high:.0f}]"
    return f"{hits} of {n} correct" + (rate if n >= 10 else "")


def is_for_the_last_row(page: Page, verdict: bool = True) -> None:
    """At 1,280 x 720: nothing under 18 px, the verdict in 24 px or more, nothing that has to be scrolled to."""
    assert small_type(page) == []
    if verdict:
        assert font_size(page, ".present-verdict") >= 24
    for part in (".present-said", ".present-panel"):
        assert page.locator(part).evaluate("each => each.scrollHeight <= each.clientHeight + 1"), part
    assert page.evaluate("document.activeElement.matches('.present-button')"), "the focus is seen"
    assert_accessible(page)


def test_a_class_on_the_projector_by_keys_alone(page: Page, learners: Learners, wording: Wording) -> None:
    begin(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    press = page.keyboard.press
    press("e")
    assert page.evaluate("location.hash") == "#teach?section=class&present=1"
    ada, ben, cleo = learners("Ada", "Ben", "Cleo")
    expect(page.locator(".present-verdict")).to_have_text("3 learners joined")
    is_for_the_last_row(page)
    assert font_size(page, ".class-code") >= 48
    page.evaluate("document.querySelector('.class-warning').append(' ' + 'AB:'.repeat(31) + 'AB')")  # a fingerprint
    assert page.evaluate("innerWidth - document.querySelector('.class-warning').getBoundingClientRect().right") > 400
    press("ArrowRight")
    wording(text_with(page.locator(".present-question"), "?"))
    expect(page.locator(".class-simulated")).to_be_visible()
    ada.answer(0, findings={"Mass": "left", "Pleural Effusion": "right"})
    ben.answer(0, findings={"Mass": "left"})
    expect(page.locator(".present-answered")).to_have_text("2 of 3 answered")
    expect(page.locator(".present-tally li")).to_have_count(0)  # Cleo could copy
    is_for_the_last_row(page, verdict=False)
    assert min(font_size(page, each) for each in (".present-question", ".present-answered")) >= 24
    cleo.answer(0, findings={})
    expect(page.locator(".present-tally li")).to_have_text(["Mass2", "Pleural Effusion1", "no finding1"])
    is_for_the_last_row(page, verdict=False)
    assert [secret for secret in SECRETS if secret in page.content()] == []
    expect(page.locator(".class-outline")).to_have_count(0)
    height = page.locator(".class-picture").evaluate("each => each.getBoundingClientRect().height")
    assert height >= 0.98 * 720
    corner = page.locator(".present-corner").inner_text()
    press("Enter")  # reveals: the focus lies on it
    expect(page.locator(".present-verdict")).to_have_text(BOTH)
    expect(page.locator(".present-right")).to_have_text(percent(1, 3))
    expect(page.locator(".present-line")).to_have_text(["Source: the simulator: exact.", NOTE])
    expect(page.locator(".present-model").first).to_contain_text("\u25cfhit")
    expect(page.locator(".present-tally [data-right]")).to_have_count(2)
    outlines = page.locator(".class-outline:not(.off)")
    expect(outlines).to_have_count(1)  # of the first finding, and how many more there are
    expect(page.locator(".class-key-more")).to_have_text("+1 more (M)")
    is_for_the_last_row(page)
    press("h")
    heat = text_with(page.locator(".class-map-words"), "Pleural Effusion")
    assert "phantom" in heat and "6 of 10" in heat and "8 %" in heat
    wording(heat)
    assert "url" in page.locator(".class-heat").evaluate("each => each.style.backgroundImage")
    press("m")
    expect(outlines).to_have_count(2)
    expect(page.locator(".class-key-more")).to_be_hidden()
    press("m")
    expect(page.locator(".class-areas")).to_be_hidden()
    is_for_the_last_row(page)
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Next film")
    is_small = small_type(page)
    press("Escape")  # closes the list alone
    assert is_small == []
    press("PageDown")  # of a clicker
    wording(text_with(page.locator(".present-question"), "Mass"))
    ada.answer(1, point=[0.5, 0.5])
    expect(page.locator(".present-answered")).to_have_text("1 of 3 answered")
    for other in (ben, cleo):
        other.answer(1, point=[0.25, 0.75])
    expect(page.locator(".present-tally li")).to_have_text(["pointed3"])
    expect(page.locator(".class-point")).to_have_count(0)  # it is told where once it is revealed
    press("r")
    expect(page.locator(".class-point")).to_have_count(3)
    press("ArrowLeft")
    expect(page.locator(".present-verdict")).to_have_text(BOTH)
    press("Escape")
    assert page.evaluate("location.hash") == "#teach?section=class"
    expect(page.get_by_role("button", name="End class", exact=True)).to_be_visible()
    assert corner.split() == [page.locator(".class-code").inner_text(), page.locator(".class-address").inner_text()]


def test_every_question_and_the_results(page: Page, learners: Learners, classroom: Classroom) -> None:
    begin(page)
    ada, _ = learners("Ada", "Ben")
    told = {1: "Mass: present (left)", 2: "Normal", 3: "Pleural Effusion: present (right)", 4: "The second film"}
    answers: dict[int, dict[str, object]] = {
        0: {"findings": {}}, 1: {"point": None}, 2: {"normal": True}, 3: {"present": False}, 4: {"picked": 1},
    }  # fmt: skip
    for film, answer in answers.items():
        page.get_by_role("button", name="First film" if film == 0 else "Next").click()
        expect(page.locator(".present-place")).to_contain_text(f"Film {film + 1} of 5")
        ada.answer(film, **answer)
        expect(page.locator(".class-learners li")).to_have_text([f"Ada{film + 1} of 5", "Ben0 of 5"])
        if film in told:
            page.get_by_role("button", name="Reveal").click()
            expect(page.locator(".present-verdict")).to_have_text(told[film])
    page.get_by_role("button", name="Closing words").click()  # asks first
    page.get_by_role("dialog").get_by_role("button", name="Go on").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert_accessible(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="End class", exact=True).click()
    page.get_by_role("button", name="Go on").click()
    page.wait_for_timeout(100)  # until it has closed
    page.evaluate("() => { document.querySelector('.class-end').returnValue = 'end'; }")  # of the class before
    page.get_by_role("button", name="End class", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert classroom.board()["running"]
    page.get_by_role("button", name="End class", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="End class").click()
    expect(page.locator(".present-verdict")).to_have_text("The class has ended")
    expect(page.get_by_text(CLOSING)).to_be_visible()
    right = [0, 0, 1, 0, 1]  # the first was never revealed, and is counted now
    cells = page.locator(".class-films-table tbody td:last-child").all_inner_texts()
    assert cells == [percent(each, 1) for each in right]
    expect(page.locator(".class-export")).to_contain_text(f"class export {classroom.board()['id']} --out answers.csv")
    assert_accessible(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("e")
    is_for_the_last_row(page)


def test_at_the_own_pace_the_teacher_looks_on(page: Page, learners: Learners) -> None:
    begin(page, "Learners go at their own pace")
    expect(page.locator(".class-stage")).to_contain_text("at their own pace")
    (ada,) = learners("Ada")
    ada.answer(0, findings={"Mass": "left"})
    expect(page.locator(".present-tally li")).to_have_text(["Mass1"])
    expect(page.locator(".class-learners li")).to_have_text(["Ada1 of 5"])


def test_the_teacher_removes_a_learner_clears_places_and_closes_the_door(
    page: Page, learners: Learners, classroom: Classroom, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    begin(page)
    ada, rude, *_ = learners("Ada", "Rude <b>", "Script 1", "Script 2")
    page.get_by_role("button", name="First film").click()
    ada.answer(0, findings={})
    rude.answer(0, findings={"Mass": ""})
    expect(page.get_by_role("button", name="Clear 2 who answered nothing")).to_be_visible()
    press = page.keyboard.press
    page.get_by_role("button", name="Remove a learner").focus()
    press("Enter")
    asked = page.get_by_role("dialog", name="Remove a learner")
    assert_accessible(page)
    asked.get_by_role("combobox", name="Learner").select_option("Rude <b>")
    asked.get_by_label("Keep them").check()
    press("Tab")
    asked.get_by_label("The device may join again").focus()
    press("Space")
    asked.get_by_role("button", name="Remove").click()
    expect(page.locator(".class-nickname")).to_have_text(["Ada", "Script 1", "Script 2"])
    expect(page.locator(".class-doorkeeper")).to_have_text("1 removed, answers kept.")
    expect(page.locator(".present-answered")).to_have_text("2 of 4 answered")
    page.get_by_role("button", name="Clear 2 who answered nothing").click()
    expect(page.locator(".class-nickname")).to_have_text(["Ada"])
    expect(page.locator(".present-tally li")).to_have_text(["Mass1", "no finding1"])
    page.get_by_role("button", name="Let nobody else in").click()
    wording(text_with(page.locator(".class-doorkeeper"), "Nobody"))
    page.get_by_role("button", name="Let learners in").click()
    expect(page.locator(".class-doorkeeper")).not_to_contain_text("Nobody")

    trouble = "Learners cannot reach the class. Start Tailscope again."
    tell = classroom.set_addresses
    monkeypatch.setattr(classroom, "set_addresses", lambda *said: None)  # the watch has nothing to tell
    tell(classroom.addresses, trouble)
    expect(page.get_by_role("alert")).to_have_text(trouble)
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert_accessible(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    press("e")
    expect(page.locator(".present-line").first).to_have_text(trouble)
    is_for_the_last_row(page, verdict=False)
    press("Escape")
    page.clock.install()
    stands_still = "() => { window.call = (name) => new Promise(() => (window.looked ||= name === 'class_board')); }"
    page.evaluate(stands_still)  # a process
    page.wait_for_function("() => window.looked")
    page.clock.fast_forward(6000)
    expect(page.locator(".class-said")).to_contain_text("Tailscope is not responding")
    expect(page.locator(".class-said")).to_contain_text("make class")


def test_without_class_the_section_says_how_to_start(chromium: Browser, tmp_path: Path) -> None:
    with teacher(chromium, calls_of(Classroom(), tmp_path)) as page:
        says = "Start Tailscope with make class to let learners answer on their own devices."
        expect(page.locator(".class-off")).to_have_text(says)
        expect(page.locator(".class-go")).to_be_hidden()
        expect(page.locator(".class-pace")).to_be_hidden()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as one file").click()
        assert saved.value.suggested_filename == "class-chest-films.html"
        assert "default-src 'none'" in Path(saved.value.path()).read_text(encoding="utf-8")
        page.keyboard.press("e")
        expect(page.locator(".presenting")).to_have_count(0)
