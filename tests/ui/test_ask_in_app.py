"""Questions about the real film RG1, asked of the shipped model in the app itself."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from explorer.asking.answer import AskVerdict
from explorer.asking.suggestions import EXAMPLE_QUESTIONS
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from models.cards.classifier_card import classifier_card
from models.cards.vlm_card import vlm_card
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.ask_harness import open_details
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import SLOW, canvas
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
VERDICTS = set(get_args(AskVerdict))
FIGURE = r"\d\.\d\d"


def hang(page: Page, sample: str) -> None:
    page.locator("#ask .room[data-state=empty]").wait_for(timeout=SLOW)
    page.locator(f"#ask [data-sample={sample}]").click()
    page.locator("#ask .film-side.has-film").wait_for(timeout=SLOW)


@pytest.fixture(scope="module")
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    """RG1 in Ask, shared by tests that each ask something of their own."""
    with viewer_page(chromium, 1440, 900) as page:
        page.goto(f"{server.url}/#ask")
        hang(page, "masses")
        yield page


@pytest.fixture(scope="module")
def opened(chromium: Browser, server: Server) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        page.goto(f"{server.url}/#ask")
        yield page


@pytest.fixture
def empty(opened: Page) -> Page:
    """Ask without a film: the last test's is taken down."""
    opened.locator("#ask .room").wait_for(timeout=SLOW)
    if opened.locator("#ask .view .close").is_visible():
        opened.locator("#ask .view .close").click()
    opened.locator("#ask .room[data-state=empty]").wait_for(timeout=SLOW)
    return opened


def ask(page: Page, text: str, scored: str | None = None) -> None:
    page.locator("#ask-text").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".answer-text")).to_contain_text(scored or text, timeout=SLOW)
    expect(page.locator("#ask .question-state")).to_be_empty(timeout=SLOW)


def line(page: Page, name: str) -> str:
    open_details(page)
    return page.locator(f".answer-lines dt:text-is('{name}') + dd").inner_text()


@pytest.mark.journey
def test_a_suggested_finding_is_asked_about_by_keyboard(page: Page, wording: Wording) -> None:
    page.locator("#ask-text").fill("")
    page.keyboard.type("pleural ef")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".answer-verdict")).to_be_visible(timeout=SLOW)
    expect(page.locator(".answer-text")).to_have_text("Pleural Effusion")
    assert page.locator(".answer-word").inner_text() in VERDICTS
    vlm = vlm_card("nih-mini-vlm")
    expect(page.locator("#ask .made-model")).to_have_text(f"{vlm.name}: {vlm.title}  \u00b7  cpu")
    assert "Pleural Effusion 1.00" in line(page, "Matched finding")
    wording(re.sub(FIGURE, "(similarity)", line(page, "Matched finding")))
    assert re.match(rf"{FIGURE}, .+ threshold {FIGURE}\nMargin", line(page, "Score"))
    assert re.match(r"\d+ % \u2013 \d+ %", line(page, "Spread"))
    assert re.match(r"above \d+ % of 1,650 ", line(page, "Rank"))
    interval = rf"{FIGURE} \[{FIGURE}\u2013{FIGURE}\]"
    assert re.match(rf"AUROC {interval}, AP {interval}\nn\+ 235 of 1,650", line(page, "This text"))
    assert re.match(rf"Pleural Effusion {FIGURE}, threshold {FIGURE}\nnih-ensemble ranks", line(page, "Classifier"))
    assert "percentile point" in line(page, "Classifier") or "alike" in line(page, "Classifier")
    assert page.locator(".spread-tick").count() >= 5 + 1  # templates, and a paraphrase


def test_the_map_is_in_margins_of_the_models_own_scale(page: Page) -> None:
    ask(page, "blunted costophrenic angle")
    button = page.locator("#ask .evidence-show")
    if button.is_visible():
        button.click()
    expect(page.locator("#ask-heat-canvas")).to_be_visible()
    maximum = vlm_card("nih-mini-vlm").heat_maximum
    assert maximum is not None
    expect(page.locator("#ask .legend-maximum")).to_have_text(f"{maximum:.3f} margin")
    expect(page.locator("#ask .legend-finding")).to_have_text("blunted costophrenic angle")
    assert canvas(page, "ask-heat")[..., 3].max() > 0


@pytest.mark.parametrize(
    ("text", "scored", "words"),
    [
        ("no pneumothorax", "pneumothorax", "Negation"),
        ("mass and pneumothorax", None, "several"),
        ("derrame pleural izquierdo", None, "English"),
        ("diabetes", None, "radiograph"),
        ("qwertz", None, '"qwertz" is not a finding or a word known here.'),
        ("big heart " * 30, ("big heart " * 20).strip(), "The text was cut from 299 to at most 200 characters"),
    ],
)
def test_what_is_wrong_with_a_question_is_said(page: Page, text: str, scored: str | None, words: str) -> None:
    ask(page, text, scored)
    said = page.locator(".answer-why, .answer-caution").all_inner_texts()
    assert any(words in each for each in said), said
    if text.startswith("big"):
        expect(page.locator("#ask-text")).to_have_value(text)
    elif scored is None:
        expect(page.locator(".answer-word")).to_have_text("cannot judge")
    else:
        expect(page.locator(".asked-question[aria-pressed=true] .asked-text")).to_contain_text(f"asked: {text}")


def test_german_is_offered_in_english(page: Page, wording: Wording) -> None:
    ask(page, "Lungenentz\u00fcndung rechts")
    wording(text_with(page.locator(".answer-why"), "Lungenentz\u00fcndung"))
    page.get_by_role("button", name="Ask for: pneumonia").click()
    expect(page.locator(".answer-text")).to_have_text("pneumonia", timeout=SLOW)


def test_a_caution_of_read_stands_in_ask_too(page: Page, wording: Wording) -> None:
    ask(page, "lobar pneumonia")
    warning = classifier_card("nih-mini").warnings["Pneumonia"]
    expect(page.locator(".answer-word")).to_have_text("cannot judge")
    why = page.locator(".answer-why")
    expect(why).to_contain_text(warning)
    wording(why.inner_text().replace(warning, "(the caution of its card)"))
    page.get_by_role("tab", name="Read", exact=True).click()
    page.locator("#read .finding[data-finding='Pneumonia'], #read .finding:has-text('Pneumonia')").first.click()
    expect(page.locator("#read")).to_contain_text(warning)
    page.get_by_role("tab", name="Ask", exact=True).click()


def test_the_answer_is_judged_again_at_the_prevalence_that_is_typed(page: Page, wording: Wording) -> None:
    ask(page, "emphysema")
    expect(page.locator(".answer-said")).to_contain_text("in 100")
    before = page.locator(".answer-said").inner_text()
    field = page.get_by_label("How many of your films have it?")
    expect(field).to_have_value("2.18")
    field.fill("60 %")
    field.press("Enter")
    expect(page.locator(".answer-why")).to_contain_text("Prevalence 60 %, as you typed.")
    expect(page.locator(".answer-said")).not_to_have_text(before)
    field.fill("100")
    field.press("Enter")
    wording(text_with(page.locator(".prevalence-note"), "100 %"))
    expect(field).to_have_attribute("aria-invalid", "true")
    with page.expect_download() as download:
        page.locator(".asked-save").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    (row,) = [each for each in rows if each["question"] == "emphysema"]
    assert (row["prevalence"], row["prevalence_of"]) == ("0.6", "typed")
    assert row["said"].startswith(f"{100 * float(row['share_with_finding']):.0f} in 100 ")
    page.get_by_role("button", name="As among the labeled films").click()
    expect(page.locator(".answer-said")).to_have_text(before)


@pytest.mark.parametrize("text", EXAMPLE_QUESTIONS)
def test_questions_to_begin_with_stand_under_the_empty_box(empty: Page, text: str, wording: Wording) -> None:
    empty.get_by_role("button", name=text, exact=True).click()
    wording(text_with(empty.locator("#ask .question-state")))
    expect(empty.locator("#ask-text")).to_have_value(text)
    empty.locator("#ask [data-sample=masses]").click()
    empty.locator("#ask .room[data-state=read]").wait_for(timeout=SLOW)
    empty.get_by_role("button", name=text, exact=True).click()
    expect(empty.locator(".answer-text")).to_have_text(text, timeout=SLOW)
    expect(empty.locator("#ask .examples")).to_be_hidden()


def test_questions_are_shown_again_and_saved(page: Page) -> None:
    ask(page, "enlarged heart")
    ask(page, "hernia")
    earlier = page.locator(".asked-question", has_text="enlarged heart")
    earlier.click()
    expect(page.locator(".answer-text")).to_have_text("enlarged heart")
    shown = line(page, "Score").partition(",")[0]
    with page.expect_download() as download:
        page.locator(".asked-save").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == page.locator(".asked-question").count()
    (row,) = [each for each in rows if each["question"] == "enlarged heart"]
    assert f"{float(row['score']):.2f}" == shown
    assert row["taken_for"] == "Cardiomegaly" and row["use"] == NOT_FOR_MEDICAL_USE
    assert re.fullmatch(r"tailscope_ask_\d{8}-\d{4}_[0-9a-f]{8}\.csv", download.value.suggested_filename)


def test_own_templates_are_scored_and_wrong_ones_refused(page: Page, wording: Wording) -> None:
    page.locator(".templates-head").click()
    text = page.get_by_role("textbox", name="Templates")
    expect(text).not_to_have_value("", timeout=SLOW)
    text.fill("{} | no {}\nevidence of {} | no evidence of {}\nnonsense")
    page.locator("#ask-text").fill("scoliosis")
    page.keyboard.press("Enter")
    wording(text_with(page.locator("#ask .question-state"), "'nonsense'"))
    text.fill("{} | no {}\nevidence of {} | no evidence of {}")
    ask(page, "scoliosis")
    own = page.locator(".spread-tick:not(.paraphrase)")
    assert own.count() == 2
    page.locator(".templates-reset").click()
    ask(page, "scoliosis")
    expect(own).to_have_count(len(vlm_card("nih-mini-vlm").templates))
    page.locator(".templates-head").click()


def test_no_word_of_a_question_stands_in_an_address(page: Page) -> None:
    heard: list[str] = []

    def listen(request: Request) -> None:
        heard.append(request.url)

    page.on("request", listen)
    ask(page, "cavity with a fluid level")
    page.remove_listener("request", listen)
    assert heard and not any("cavity" in address or "fluid" in address for address in heard)
    assert "cavity" not in page.url


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    ask(page, "fluid in the left pleural space")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_leg_is_asked_about_only_on_request(empty: Page) -> None:
    hang(empty, "leg")
    empty.locator("#ask .room[data-state=refused]").wait_for(timeout=SLOW)
    expect(empty.locator("#ask .word-title")).to_contain_text("chest")
    empty.locator("#ask-text").fill("fracture")
    empty.keyboard.press("Enter")
    expect(empty.locator("#ask .answer")).to_be_hidden()
    empty.locator("#ask .way-anyway").click()
    expect(empty.locator(".answer-text")).to_have_text("fracture", timeout=SLOW)
    expect(empty.locator("#ask .verdict")).to_contain_text("Read anyway.")


# Programs
