"""Films ranked by a typed finding: what the server tells the script, and what a visitor does with it."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.asking.answer import Caution
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.reading.model_routing import ByProvenance
from explorer.ui.explore import case_calls as case
from explorer.ui.explore import slice_calls as gallery
from explorer.ui.shared.services import Services
from tests.support.csv_export import unpacked
from tests.support.small_cohort import Film, store_of, write_small
from tests.support.texts import VLM, Texts, vlm_of
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, add_filter, hide, sentence, state, tiles, wait_until_shown
from tests.ui.text_shown import text_with

FILMS = 30
ASK = {"ask": "lump"}
FRAGMENT = "#explore?panel=confused"  # what asks least of the server
CAUTION = Caution("negated", "The no in it is ignored.")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    """Thirty films, the later the more alike to a lump; Mass on every third, a film without an embedding."""
    films = [
        Film(
            f"film {n:02}",
            {"Mass": "present" if n % 3 == 0 else "absent"},
            {"Mass": n / 200 - 0.08},
            view="AP" if n % 2 else "PA",
            features=[] if n == 5 else [n / 100, 1.0],
        )
        for n in range(FILMS)
    ]
    folder = write_small(tmp_path_factory.mktemp("asked"), films, {"Mass": 0.0}, model=VLM, sha256="ab12")
    made = read_model_manifest(folder.model(VLM))
    write_manifest(folder.model(VLM), replace(made, unit="margin", scale=50.0))
    texts = Texts({"lump": np.array([1.0, 0.0], np.float32)}, taken_for="Mass", warnings=(CAUTION,))
    return Services(store_of(folder), Images({}, list), None, cast(IntervalsJob, None), ByProvenance.one(texts))


def asked(services: Services, name: str, /, state: dict[str, str], **more: object) -> dict[str, Any]:
    offered = {call.__name__: call for call in (*gallery.calls(services), *case.calls(services))}
    return cast(dict[str, Any], offered[name]({"state": state, **more}))


def test_every_film_is_ranked_with_its_margin_and_its_place(services: Services, wording: Wording) -> None:
    page = asked(services, "slice_page", ASK)
    wording(page["sentence"])
    assert (page["films"], page["pages"], page["page"]) == (29, 2, 1)
    assert [item["case"] for item in page["items"]] == [f"film {n:02}" for n in reversed(range(6, FILMS))]
    margin, percentile = page["items"][1]["alike"]
    assert (margin, percentile) == pytest.approx((0.28, 100 * 27.5 / 29), rel=1e-3)
    assert "ask" not in page["changes"]
    assert [item["case"] for item in asked(services, "slice_page", ASK | {"page": "2"})["items"]] == [
        f"film {n:02}" for n in (4, 3, 2, 1, 0)
    ]


def test_filters_narrow_what_is_ranked_but_not_the_percentile(services: Services, wording: Wording) -> None:
    page = asked(services, "slice_page", ASK | {"view": "ap", "finding": "mass", "outcome": "miss"})
    wording(page["sentence"])
    assert [item["case"] for item in page["items"]] == ["film 15", "film 09", "film 03"]
    assert page["items"][0]["alike"][1] == pytest.approx(100 * 14.5 / 29)
    assert page["items"][0]["unit"] == "margin"


def test_the_line_below_has_cautions_and_how_well_the_text_ranks(services: Services) -> None:
    answer = asked(services, "slice_asked", ASK | {"view": "pa"})
    taken, worth = answer["lines"]
    assert (answer["cautions"], taken) == ([CAUTION.words], "Matched finding: Mass 0.82.")
    assert "PA films" in worth and "Mass: AUROC 0." in worth
    assert worth.endswith("(chance 0.33), n 15, n+ 5.")
    assert asked(services, "slice_asked", {}) == {"stage": "asked", "cautions": [], "lines": []}


def test_a_case_has_its_place_in_the_ranking(services: Services) -> None:
    first, second, third = asked(services, "slice_page", ASK)["items"][:3]
    place = asked(services, "case_place", ASK, case=second["id"])
    assert (place["number"], place["of"], place["alike"]) == (2, 29, second["alike"])
    assert place["previous"] == {"case": first["id"], "page": 1}
    assert place["next"] == {"case": third["id"], "page": 1}
    last = asked(services, "slice_page", ASK)["items"][-1]
    assert asked(services, "case_place", ASK, case=last["id"])["next"]["page"] == 2


def test_while_labels_are_hidden_films_are_shuffled_and_nothing_tells(services: Services, wording: Wording) -> None:
    page = asked(services, "slice_page", ASK | {"hide": "1", "shuffle": "7"})
    wording(page["sentence"])
    assert all(item.keys() == {"id", "thumb"} for item in page["items"])
    assert asked(services, "slice_asked", ASK | {"hide": "1"}) == {"stage": "asked", "cautions": [], "lines": []}
    assert asked(services, "case_place", ASK | {"hide": "1"}, case=page["items"][0]["id"])["alike"] is None
    shown = asked(services, "slice_reveal", ASK | {"hide": "1", "shuffle": "7"}, cases=[page["items"][3]["id"]])
    assert [item["id"] for item in shown["items"]] == [page["items"][3]["id"]]
    assert shown["items"][0]["alike"] is None


def test_an_export_is_in_the_order_of_the_page_and_not_to_be_had_while_labels_are_hidden(
    services: Services, wording: Wording
) -> None:
    answer = asked(services, "slice_export", ASK | {"view": "pa"}, kind="csv")
    rows, facts = unpacked(b64decode(answer["data"]))
    shown = [item["case"] for item in asked(services, "slice_page", ASK | {"view": "pa"})["items"]]
    assert [row["case"] for row in rows] == shown
    assert facts["text"] == "lump"
    plain = asked(services, "slice_export", {"view": "pa"}, kind="csv")
    assert "text_margin" not in unpacked(b64decode(plain["data"]))[0][0]
    refusal = asked(services, "slice_export", {"view": "pa", "hide": "1"}, kind="csv")
    assert refusal["stage"] == "refused"
    wording(refusal["title"])


@pytest.mark.parametrize(
    ("texts", "text", "words"),
    [
        (None, "lump", "Start Tailscope with --vlm"),
        (Texts({}, card=vlm_of("another")), "lump", "python -m explorer score --cohort small --model another"),
        (Texts({}), "x" * 500, "too long"),
        (Texts({}), "?!", "no finding"),
    ],
)
def test_what_cannot_be_ranked_says_why_and_what_to_do(
    services: Services, texts: Texts | None, text: str, words: str
) -> None:
    answer = asked(replace(services, askers=texts and ByProvenance.one(texts)), "slice_page", {"ask": text})
    assert answer["stage"] == "refused"
    assert words in f"{answer['title']}. {answer['detail']}"


def test_margins_are_told_as_margins(services: Services, wording: Wording) -> None:
    page = asked(services, "slice_page", {"low": "0.01"}, known=None)
    assert "+0.01" in page["sentence"]
    wording(page["sentence"])
    assert page["facets"]["score"] == {
        "least": pytest.approx(-0.08),
        "most": pytest.approx(0.065),
        "unit": "margin",
        "title": "Margin",
    }
    facts = asked(services, "case_facts", {}, case=page["items"][0]["id"])
    assert (facts["rows"][0]["unit"], facts["rows"][0]["scale"]) == ("margin", 50.0)


@pytest.mark.browser
@pytest.mark.shared
def test_a_visitor_ranks_the_shipped_cohort_by_a_text(new_explorer: NewVisitor, wording: Wording) -> None:
    page, text = new_explorer(FRAGMENT), "fluid in the pleural space"
    assert "outcome" in state(page)
    page.locator(".ask-films-text").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_contain_text("ranked by", timeout=3 * SLOW)
    wording(sentence(page))
    assert sentence(page).endswith(" 1,650 films")
    assert state(page)["ask"] == text and "outcome" not in state(page)
    expect(page.locator(".asked-line")).to_contain_text("Pleural Effusion: AUROC 0.", timeout=SLOW)
    ranked = tiles(page)
    page.locator(".export").click()
    with page.expect_download() as download:
        page.get_by_role("option", name="CSV").click()
    rows, facts = unpacked(download.value.path().read_bytes())
    table = pd.DataFrame(rows).astype({"text_margin": float})
    assert table.text_margin.is_monotonic_decreasing and table.case.nunique() == 1650
    assert (facts["text"], facts["text_model"]) == (text, "nih-mini-vlm")
    page.locator(".tile").nth(1).click()
    expect(page.locator(".case-title")).to_have_text("Case 2 of 1,650", timeout=SLOW)
    expect(page.locator(".case-slice")).to_contain_text("99.9 %")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_have_text("Case 3 of 1,650", timeout=SLOW)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator(".page-number")).to_have_text("page 2 of 69", timeout=SLOW)
    add_filter(page, "View", "PA")
    assert "PA films" in sentence(page)
    hide(page)
    assert not page.locator(".ask-films").is_visible()
    assert page.locator(".ask-films-text").input_value() == ""
    page.locator(".hide-switch").click()
    wait_until_shown(page)
    page.locator(".ask-films-clear").click()
    wait_until_shown(page)
    assert "ask" not in state(page)
    assert tiles(page) != ranked
    assert not page.locator(".asked-line").is_visible()


@pytest.mark.browser
@pytest.mark.shared
def test_the_twin_is_a_second_model_of_every_filter(new_explorer: NewVisitor, wording: Wording) -> None:
    page = new_explorer(FRAGMENT)
    page.locator(".chip-model .chip-open").click()
    page.get_by_role("option", name="nih-mini-vlm").click()
    wait_until_shown(page)
    assert "nih-mini-vlm" in sentence(page)
    margin = page.locator(".tile-numbers").first
    assert (margin.get_attribute("title") or "").startswith("margin ")
    assert len(margin.inner_text().split(" < ")[0].lstrip("+\u2212")) == len("0.0123")
    expect(page.locator(".gallery-order")).to_contain_text("Largest errors first")
    page.locator(".chip-add").click()
    page.get_by_role("option", name="Margin").click()
    wording(text_with(page.locator(".score-range"), "margin"))
    page.locator(".score-range input").first.fill("-0.005")
    page.locator(".menu-apply").click()
    wait_until_shown(page)
    assert "-0.005" in sentence(page)
    page.locator(".chip-model .chip-open").click()
    page.get_by_role("option", name="nih-mini", exact=True).click()
    wait_until_shown(page)
    assert "low" not in state(page)  # a range is of one model's figures
    page.go_back()
    wait_until_shown(page)
    page.locator(".tile").first.click()
    expect(page.locator(".case-figures")).to_contain_text("margin ", timeout=SLOW)
    expect(page.locator(".case-scores h3")).to_have_text(re.compile("^Margins .*nih-mini-vlm$"))
