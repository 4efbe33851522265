"""The film of a class under fingers, mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.class_file.class_file import build_class_file
from tests.support.prepared_class import prepared_class
from tests.ui.axe import assert_accessible
from tests.ui.class_room import phone, until

pytestmark = pytest.mark.browser
SCALE = "Number(document.querySelectorAll('.class-film')[{}].style.transform.match(/scale\\((.+)\\)/)[1])"
GRAY = """() => { const film = document.querySelector(".class-canvas");
    return film.getContext("2d").getImageData(film.width / 2, film.height / 2, 1, 1).data[0]; }"""


@pytest.fixture(scope="module")
def page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A pair of films, on a phone."""
    file = tmp_path_factory.mktemp("film") / "class.html"
    file.write_bytes(build_class_file(prepared_class(prepared_class().films[4:])))
    with phone(chromium) as page:
        page.goto(file.as_uri())
        page.get_by_role("button", name="Begin").click()
        until(page, "question")
        yield page


@pytest.fixture(autouse=True)
def rested(page: Page) -> None:
    """The first film, fitted, as it came."""
    page.get_by_role("button", name="First film").click()
    page.locator(".class-stage:visible").focus()
    page.keyboard.press(" ")
    page.wait_for_timeout(50)  # grays are drawn with the next frame


def fingers(page: Page, *path: list[tuple[int, int]]) -> None:
    """Fingers that go down at the first places and rise at the last: of the visible stage's middle, in pixels."""
    box = page.locator(".class-stage:visible").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for step, places in enumerate(path):
        points = [{"x": x + across, "y": y + down, "id": at} for at, (across, down) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def place(page: Page) -> list[float]:
    found: list[float] = page.evaluate("""() => {
        const films = [...document.querySelectorAll(".class-film")];
        const seen = films.find((film) => film.checkVisibility({ visibilityProperty: true }));
        return [seen.getBoundingClientRect().x, seen.getBoundingClientRect().y];
    }""")
    return found


def gray(page: Page, wanted: Callable[[int], bool]) -> bool:
    """Whether the middle of the film becomes as it should be, with one of the next frames."""
    for _ in range(40):
        if wanted(page.evaluate(GRAY)):
            return True
        page.wait_for_timeout(50)
    return False


def test_two_fingers_zoom_and_one_moves_what_is_zoomed_in_and_the_other_film_follows(page: Page) -> None:
    fitted = page.evaluate(SCALE.format(0))
    fingers(page, [(-40, 0), (40, 0)], [(-60, 0), (60, 0)], [(-80, 0), (80, 0)])
    assert page.evaluate(SCALE.format(0)) == pytest.approx(2 * fitted, rel=0.02)
    assert page.evaluate(SCALE.format(1)) == pytest.approx(page.evaluate(SCALE.format(0)))
    before = place(page)
    fingers(page, [(0, 0)], [(10, 15)], [(30, 40)])
    assert [now - then for now, then in zip(place(page), before, strict=True)] == pytest.approx([30, 40], abs=1)
    expect(page.get_by_role("button", name="First film")).to_have_attribute("aria-pressed", "true")


def test_a_swipe_turns_to_the_other_film(page: Page) -> None:
    fingers(page, [(60, 0)], [(0, 2)], [(-60, 4)])
    expect(page.get_by_role("button", name="Second film")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="First film")).to_have_attribute("aria-pressed", "true")


def test_contrast_by_sliders_by_a_finger_and_by_keys(page: Page) -> None:
    before = page.evaluate(GRAY)
    page.keyboard.press("i")
    assert gray(page, lambda now: now == 255 - before)
    page.keyboard.press(" ")
    page.get_by_role("button", name="Contrast").click()
    assert_accessible(page)
    page.get_by_label("Level").fill("100")
    assert gray(page, lambda now: now < before)
    page.get_by_role("button", name="Reset").click()
    assert gray(page, lambda now: now == before)
    fingers(page, [(0, 0)], [(0, -40)], [(0, -120)])
    assert gray(page, lambda now: now > before)
    assert int(page.get_by_label("Level").input_value()) < 50
    page.get_by_role("button", name="Contrast").click()


def test_a_mouse_drags_contrast_and_moves_with_shift(page: Page) -> None:
    before, at = place(page), page.locator(".class-stage:visible").bounding_box()
    assert at is not None
    shade = page.evaluate(GRAY)
    drag(page, at["x"] + 190, at["y"] + 150, 0, -100)
    assert gray(page, lambda now: now > shade)
    assert place(page) == before
    page.keyboard.down("Shift")
    drag(page, at["x"] + 190, at["y"] + 150, 0, -40)
    page.keyboard.up("Shift")
    assert place(page) == pytest.approx([before[0], before[1] - 40], abs=1)
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(50)
    assert page.evaluate(SCALE.format(0)) > 390 / 192


def drag(page: Page, x: float, y: float, across: float, down: float) -> None:
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2)
    page.mouse.move(x + across, y + down)
    page.mouse.up()
