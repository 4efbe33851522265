"""A teacher and three learners, each in a context of their own: the real app with a class that is really served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.simulator import Request
from explorer.simulator.address import make_address
from models.statistics import wilson
from tests.support.wording import Wording
from tests.ui.app_server import Server, free_port, start, stop
from tests.ui.class_room import phone, sure, until
from tests.ui.simulate_room import SLOW, write_classifier, write_text_model
from tests.ui.text_shown import text_with
from tests.ui.windows import Complaints, Kind, windows

pytestmark = pytest.mark.browser

EFFUSION = make_address("A", 300_041, [Request("Pleural Effusion", "left", 0.9)])
NOTE = "The meniscus reaches the lateral wall."
PLAYLIST = Playlist(
    "Two films",
    (
        PlaylistFilm("", EFFUSION, FilmQuestion("present", "Pleural Effusion"), note=NOTE),
        PlaylistFilm("", make_address("A", 300_042, []), FilmQuestion("normal")),
    ),
    closing="Look at the angles first.",
)


@pytest.fixture(scope="module")
def class_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with --class, and a playlist of two films."""
    folder = tmp_path_factory.mktemp("teaching")
    PlaylistFiles(lambda: folder / "home" / "playlists").add(PLAYLIST)
    models = ("--model", str(write_classifier(folder)), "--vlm", str(write_text_model(folder)))
    held = ("--class", "--class-bind", "127.0.0.1", "--class-port", str(free_port()))
    running = start(folder, *models, *held, home=folder / "home")
    yield running
    stop(running)


@pytest.fixture
def teacher(chromium: Browser, class_server: Server) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.set_default_timeout(SLOW)
        page.goto(f"{class_server.url}/#teach?section=class")
        yield page


NewLearner = Callable[[str], Page]


@pytest.fixture
def learner(chromium: Browser, teacher: Page) -> Iterator[NewLearner]:
    """Somebody with a phone, who types what stands on the teacher's screen."""
    with ExitStack() as phones:

        def comes(nickname: str) -> Page:
            page = phones.enter_context(phone(chromium))
            complaints = Complaints()
            complaints.listen(page)
            phones.callback(lambda: _nothing(complaints.heard))
            page.goto(teacher.locator(".class-address").first.inner_text())
            page.get_by_label("Class code").fill(teacher.locator(".class-code").first.inner_text().lower())
            page.get_by_label("Nickname").fill(nickname)
            page.get_by_role("button", name="Join").click()
            return page

        yield comes


def _nothing(heard: list[str]) -> None:
    assert heard == []


def percent(hits: int, n: int) -> str:
    low, high = wilson(hits, n)
    rate = f": {100 * hits / n:.0f}\u00a0% [{100 * low:.0f}\u2013{100 * high:.0f}]"
    return f"{hits} of {n} correct" + (rate if n >= 10 else "")


@pytest.mark.journey
def test_a_teacher_and_three_learners(
    teacher: Page, learner: NewLearner, class_server: Server, wording: Wording
) -> None:
    told: list[Response] = []  # to the teacher's page, which lies on a screen that the class sees
    teacher.on("response", lambda each: told.append(each) if "component_server" in each.url else None)
    expect(teacher.locator(".class-choice")).to_contain_text("Two films (2 films)")
    teacher.get_by_role("button", name="Begin class").click()
    expect(teacher.locator(".class-stage")).to_have_text("Learners can join", timeout=SLOW)
    names = ("Ada", "Ben", "Cleo")
    ada, ben, cleo = phones = [learner(name) for name in names]
    for page in phones:
        until(page, "waiting")
    expect(teacher.locator(".class-nickname")).to_have_text(names)

    teacher.get_by_role("button", name="First film").click()
    wording(text_with(teacher.locator(".present-question"), "Pleural Effusion"))
    for answered, (page, choice) in enumerate(zip(phones, ("Present", "Present", "Absent"), strict=True), 1):
        until(page, "question")
        page.get_by_role("radio", name=choice).check()
        sure(page)
        until(page, "answered")
        expect(teacher.locator(".present-answered")).to_have_text(f"{answered} of 3 answered")
    expect(teacher.locator(".present-tally li")).to_have_text(["present2", "absent1"])
    expect(teacher.locator(".class-answered")).to_have_text(["1 of 2"] * 3)
    before = "".join([*(each.text() for each in told), teacher.content(), *(page.content() for page in phones)])
    assert [secret for secret in (NOTE, "the simulator: exact", EFFUSION, PLAYLIST.closing) if secret in before] == []

    teacher.get_by_role("button", name="Reveal").click()
    expect(teacher.locator(".present-verdict")).to_have_text("Pleural Effusion: present (left)")
    expect(teacher.locator(".present-right")).to_have_text(percent(2, 3))
    expect(teacher.locator(".class-outline")).to_have_count(1)
    for page, heading in ((ada, "Correct."), (ben, "Correct."), (cleo, "Not correct.")):
        until(page, "reveal")
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.get_by_text(NOTE)).to_be_attached()

    teacher.keyboard.press("e")
    teacher.keyboard.press("ArrowRight")
    expect(teacher.locator(".present-question")).to_have_text("Is this film normal?")
    until(ada, "question")
    ada.get_by_role("radio", name="Normal", exact=True).check()
    sure(ada)
    expect(teacher.locator(".present-answered")).to_have_text("1 of 3 answered")
    teacher.keyboard.press("r")
    expect(teacher.locator(".present-verdict")).to_have_text("Normal")
    until(ben, "reveal")  # who did not answer
    teacher.keyboard.press("Escape")

    code = teacher.locator(".class-code").first.inner_text()
    address = teacher.locator(".class-address").first.inner_text()
    teacher.get_by_role("button", name="End class", exact=True).click()
    teacher.get_by_role("dialog").get_by_role("button", name="End class").click()
    expect(teacher.get_by_text(PLAYLIST.closing)).to_be_visible()
    rows = teacher.locator(".class-films-table tbody td:last-child")
    expect(rows).to_have_text([percent(2, 3), percent(1, 1)])
    for page in phones:
        until(page, "sheet")

    late = cleo.context.browser.new_context() if cleo.context.browser else None
    assert late is not None
    page = late.new_page()
    page.goto(f"{address}#{code}")
    page.get_by_label("Nickname").fill("Dora")
    page.get_by_role("button", name="Join").click()
    wording(text_with(page.get_by_role("alert")))
    late.close()
    assert len(list((class_server.temporary / "home").rglob("*.sqlite"))) == 1, "the answers are kept"
    holds_a_lesson(teacher, learner)


def holds_a_lesson(teacher: Page, learner: NewLearner) -> None:
    """From the lesson to its first number and back, with what the class says."""
    teacher.goto(teacher.url.partition("#")[0] + "#teach?section=lessons")
    teacher.locator(".lesson-card", has_text="The heat map that misleads").locator(".lesson-hold").click()
    expect(teacher.locator(".class-stage")).to_have_text("Learners can join", timeout=SLOW)
    expect(teacher.locator(".class-name")).to_have_text("The heat map that misleads")
    expect(teacher.locator(".present-line").first).to_contain_text("see what its maps are worth")
    assert "hold=" not in teacher.url
    eve = learner("Eve")
    until(eve, "waiting")
    teacher.get_by_role("button", name="First film").click()
    until(eve, "question")
    eve.get_by_role("radio", name="Absent").check()
    sure(eve)
    expect(teacher.locator(".present-answered")).to_have_text("1 of 1 answered")
    teacher.get_by_role("button", name="Reveal").click()
    teacher.get_by_role("link", name="What the note speaks of").click()
    expect(teacher.locator(".lesson-words")).to_contain_text("Present, flagged, and marked by the map.")
    expect(teacher.locator(".lesson-words")).to_contain_text("The class: 0 of 1 correct")
    expect(teacher.locator(".number-marked").first).to_be_in_viewport(timeout=SLOW)
    teacher.get_by_role("link", name="Back to the class").click()
    expect(teacher.locator(".lesson")).to_be_hidden()
    expect(teacher.locator(".present-verdict")).to_have_text("Mass: present (left)")
    until(eve, "reveal")
