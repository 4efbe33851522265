"""A clinician's path through the Read tab, in a real browser, on the real film RG1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.reading.flag_verdict import HEADLINE_VERDICTS, VERDICT_ORDER
from models.cards.classifier_card import classifier_card
from models.statistics import wilson
from tests.support.wording import Wording
from tests.ui.app_server import Server, start, stop
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import SLOW, canvas, choose, open_sample
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


def test_a_sample_shows_film_findings_and_provenance(masses: Page) -> None:
    expect(masses.locator("#masthead .model")).to_have_text(re.compile("nih-ensemble .* phantom .* cpu$"))
    expect(masses.locator("#masthead .use")).to_have_text("Not for medical use")
    assert canvas(masses, "film").shape[0] == 1024
    assert masses.locator(".finding").count() == 15
    expect(masses.locator(".made-model")).to_contain_text("nih-ensemble")
    expect(masses.locator(".numbers-times")).to_contain_text("scores")
    expect(masses.locator(".numbers-times")).to_be_hidden()  # behind Details, as the models are behind Model
    expect(masses.locator(".model-fold-names")).to_have_text("nih-ensemble")
    expect(masses.locator(".model-select").first).to_be_hidden()
    expect(masses.locator(".verdict")).to_have_text("Frontal chest film")
    expect(masses.locator(".facts")).to_contain_text("1841 x 1955 px")
    expect(masses.locator(".notes")).to_contain_text("inverted")
    assert "robab" not in masses.locator("#read").inner_text()


def test_findings_go_by_verdict_then_by_margin_within_unsure_and_below(masses: Page) -> None:
    listed = [row for row in masses.locator(".finding").all() if row.get_attribute("data-finding") != "Normal"]
    states = [row.get_attribute("data-state") for row in listed]
    assert states == sorted(states, key=["above", "unsure", "below", "cannot judge"].index)
    for state in set(states) - {"above", "cannot judge"}:
        those = masses.locator(f".finding[data-state={state}]:not([data-finding=Normal])")
        margins = those.locator(".finding-margin").all_text_contents()
        figures = [float(text.replace("\u2212", "-")) for text in margins]
        assert figures == sorted(figures, reverse=True)
    verdicts = [row.get_attribute("data-verdict") for row in listed if row.get_attribute("data-state") == "above"]
    assert verdicts == sorted(verdicts, key=[*VERDICT_ORDER].index) and len(set(verdicts)) > 1
    title = masses.locator(".word-title").inner_text()
    named = {
        row.get_attribute("data-finding") for row in listed if row.get_attribute("data-verdict") in HEADLINE_VERDICTS
    }
    assert {name for row in listed if (name := str(row.get_attribute("data-finding"))) in title} == named
    rated = [
        row.locator(".finding-margin").inner_text() for row in listed if row.get_attribute("data-verdict") == "possible"
    ]
    shares = [int(figure.split()[0]) for text in rated if (figure := text.replace("\u00a0%\n", " "))]
    assert shares == sorted(shares, reverse=True) and min(shares) >= 20 and all("n " in text for text in rated)
    choose(masses, str(listed[0].get_attribute("data-finding")))
    expect(masses.locator(".numbers-verdict")).to_have_text(str(verdicts[0]))


def test_the_two_kinds_of_not_there_are_listed_apart(masses: Page, wording: Wording) -> None:
    titles = masses.locator(".group-title").all_text_contents()
    assert [title.split(" (")[0] for title in titles] == [
        "Flagged",
        "Uncertain",
        "Not flagged",
        "Cannot judge",
        "Absence of findings",
        "Not looked for",
    ]
    unknown = masses.locator(".unknown")
    expect(unknown).to_be_hidden()
    masses.locator(".group-head", has_text="Not looked for").click()
    expect(unknown).to_contain_text("Azygos Lobe")
    wording(text_with(unknown).rpartition(". ")[2])
    assert "Mass," not in unknown.inner_text()


def test_every_rate_of_the_chosen_finding_has_its_n_and_interval(masses: Page, wording: Wording) -> None:
    choose(masses, "Pleural Effusion")
    numbers = masses.locator(".numbers")
    expect(numbers.locator(".number-lines").first).to_be_hidden()
    numbers.locator("summary").click()
    expect(numbers.locator(".number-lines").first).to_be_visible()
    point = classifier_card("nih-ensemble").operating_points["Pleural Effusion"]
    low, high = wilson(round(point.sensitivity * point.positives), point.positives)
    expect(numbers).to_contain_text(f"{point.sensitivity:.2f} [{low:.2f}\u2013{high:.2f}], missed")
    expect(numbers).to_contain_text(f"of {point.positives} with it")
    expect(numbers).to_contain_text(f"of {point.negatives:,} without")
    expect(numbers).to_contain_text(f"n+ {point.positives} behind these rates")
    expect(numbers).to_contain_text("CXR-LT 2026")
    expect(numbers).to_contain_text("of 1,650 films")
    expect(numbers).to_contain_text("95 % intervals")
    choose(masses, "Pneumothorax")
    wording(text_with(numbers.locator(".numbers-plain"), "cannot judge"))
    warning = classifier_card("nih-ensemble").cannot_judge["Pneumothorax"]
    expect(numbers.locator("details")).to_contain_text(warning.partition(":")[0])
    choose(masses, "Pneumonia")
    expect(numbers).to_contain_text("Unreliable: ")


def test_save_as_dicom_is_not_there_unless_it_was_asked_for(masses: Page) -> None:
    assert masses.locator("[data-export=csv]").count() == 1
    assert masses.locator("[data-export=dicom]").count() == masses.locator("dialog.dicom").count() == 0


def test_arrow_keys_move_the_choice(masses: Page) -> None:
    rows = masses.locator(".finding")
    rows.first.click()
    masses.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1)).to_be_focused()
    masses.keyboard.press("ArrowUp")
    expect(rows.first).to_have_attribute("aria-pressed", "true")


@pytest.fixture
def modelless(tmp_path: Path) -> Iterator[Server]:
    server = start(tmp_path, "--model", "no-such-model")
    yield server
    stop(server)


def test_without_a_model_the_film_stays_and_the_reason_is_said(modelless: Server, new_visitor: NewVisitor) -> None:
    page = new_visitor(modelless.url)
    page.locator("[data-sample=masses]").click()
    page.locator(".room[data-state=unscored]").wait_for(timeout=SLOW)
    expect(page.locator(".word-title")).to_contain_text("no-such-model")
    expect(page.locator("#masthead .model")).to_contain_text("no-such-model")
    expect(page.locator("#film-canvas")).to_be_visible()


def test_the_samples_have_pictures(bare: Page) -> None:
    for picture in bare.locator("#read .sample img").all():
        bare.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_five_samples_stand_beneath_the_drop_target_on_one_line(bare: Page) -> None:
    tops = bare.locator("#read .sample").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
    assert len(tops) == 5 and len(set(tops)) == 1


def test_headline_and_groups_count_alike(bare: Page) -> None:
    open_sample(bare, "phantom-effusion")
    detail = bare.locator(".word-detail").inner_text()
    counted = {"Uncertain": "uncertain", "Not flagged": "not flagged", "Cannot judge": ""}
    for title, words in counted.items():
        head = bare.locator(".group-title", has_text=title).inner_text()
        count = int(head.split("(")[1].rstrip(")"))
        group = bare.locator(".group", has=bare.locator(".group-title", has_text=title))
        names = ", ".join(str(each.get_attribute("data-finding")) for each in group.locator(".finding").all())
        assert (f"{count} {words}" if words else f"This model cannot judge {names}.") in detail
        assert group.locator(".finding").count() == count
        assert group.get_attribute("open") is None, f"{title} is folded"
    free = "1.0 [1.0\u20131.1] uncertain ones on average (674 test films"
    expect(bare.locator(".finding-free")).to_contain_text(free)
    above = bare.locator(".finding[data-state=above]").first.get_attribute("data-finding")
    assert bare.locator(".finding[aria-pressed=true]").get_attribute("data-finding") == above
