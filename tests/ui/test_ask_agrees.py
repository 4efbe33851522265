"""Ask agrees with itself: whatever the scores, each sentence says what the marks on the bar show.

Films, thresholds and validation films are drawn at random; the answers are made by the code that answers visitors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.asking.spread import UNSTABLE_SHARE
from explorer.ui.ask.payload import asked_payload
from models.cards.card import CardPoint
from tests.explorer.asking.fake import WIDTH, FakeVlm, fake_card, film, reading_of, text_vector, unit
from tests.ui.ask_harness import asked, line, open_again, open_details
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
TEXTS = ("effusion", "left pleural effusion", "mass", "scoliosis", "water on the lung")
FLAGGED = {"likely", "possible", "seldom correct", "too few films", "flagged"}
SIDE = "(at or above|below)"
NUMBER = r"[+\u2212]?\d+(?:\.\d+)?"
SEEDS = range(24)
# With each key, one for each prompt: what is then read under the bar, and the place of the tick that it is read of.
MARKED = """(keys) => keys.map((key) => {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return [
        document.querySelector(".spread-words").innerText,
        [...document.querySelectorAll(".spread-tick.marked")].map((tick) => parseFloat(tick.style.left)),
    ];
})"""


@dataclass(frozen=True)
class Marks:
    """What is drawn, in percent of the track: the bar's end, the threshold's line, the prompts' ticks."""

    answer: float
    threshold: float
    ticks: list[float]

    @property
    def flagged(self) -> bool:
        return self.answer >= self.threshold

    @property
    def above(self) -> int:
        return sum(tick >= self.threshold for tick in self.ticks)

    @property
    def against(self) -> int:
        return len(self.ticks) - self.above if self.flagged else self.above


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """By seed."""
    folder = tmp_path_factory.mktemp("answers")
    return [drawn_answer(folder, seed) for seed in SEEDS]


def drawn_answer(folder: Path, seed: int) -> dict[str, Any]:
    """The answer to one of the texts about a random film, of a model with or without validation films."""
    random = np.random.default_rng(seed)
    text = TEXTS[seed % len(TEXTS)]
    changes: dict[str, object] = {}
    if seed % 3 == 2:
        point = CardPoint(float(random.normal() / 5), "chosen elsewhere", 0.8, 0.7, 30, 300)
        changes = {"validation": None, "operating_points": {"Mass": point, "Pleural Effusion": point}}
    model = FakeVlm(fake_card(folder, **changes))
    towards = random.choice([-0.3, -0.1, 0.0, 0.1, 0.3, 0.6]) * text_vector("effusion")
    features = unit((random.normal(size=WIDTH) / 8 + towards).astype(np.float32))
    answer = Asker(lambda: model).ask(film(), reading_of(features), checked_question(text))
    return dict(asked_payload(answer, "Fake", simulated=False)) | {"heat": None}


def marks_of(page: Page) -> Marks:
    left, width = "part => parseFloat(part.style.left)", "part => parseFloat(part.style.width)"
    return Marks(
        page.locator(".spread-fill").evaluate(width),
        page.locator(".spread-cut").evaluate(left),
        page.locator(".spread-tick").evaluate_all(f"all => all.map({left})"),
    )


def figures(words: str) -> list[float]:
    return [float(each.replace("\u2212", "-")) for each in re.findall(NUMBER, words)]


def side_of(words: str, pattern: str) -> bool:
    """Whether a sentence puts something at or above the threshold."""
    found = re.search(pattern.replace("SIDE", SIDE), words)
    assert found, (pattern, words)
    return found.group(1) == "at or above"


@pytest.mark.parametrize("seed", SEEDS)
def test_every_sentence_says_what_is_drawn(page: Page, answers: list[dict[str, Any]], seed: int) -> None:
    answer = answers[seed]
    open_again(page, {"*": answer})
    asked(page, answer["question"])
    open_details(page)
    marks, percent = marks_of(page), answer["spread"]["unit"] == "percentile"
    assert len(marks.ticks) == len(answer["spread"]["prompts"])
    counts_agree(page, marks)
    sides_agree(page, marks)
    figures_agree(page, marks, percent, answer["spread"]["ends"])
    prompts_agree(page, marks)
    verdict_agrees(page, marks)


def counts_agree(page: Page, marks: Marks) -> None:
    n, rest = len(marks.ticks), page.locator(".spread-words").inner_text()
    said = f"{marks.above} at or above the threshold, {n - marks.above} below."
    assert rest.startswith(f"{n} prompt") and said in rest
    rule = f"{marks.against} of {n} prompts put the film on the other side of the threshold."
    assert rule in line(page, "Spread")
    why = page.locator(".answer-why").inner_text()
    assert "prompts put the film" not in why or rule in why
    assert ("unstable" in line(page, "Spread")) == (marks.against >= UNSTABLE_SHARE * n)


def sides_agree(page: Page, marks: Marks) -> None:
    score = line(page, "Score")
    assert side_of(score, "SIDE the threshold") == marks.flagged
    value, cut, margin, threshold = figures(score)[:4]
    assert (value >= cut) == (margin >= threshold) == marks.flagged, score  # nor do two figures read alike


def figures_agree(page: Page, marks: Marks, percent: bool, ends: list[float]) -> None:
    """Of percentiles the figures are cut off, not rounded up: above so many, no more."""
    low, high = ends

    def told(words: str, mark: float) -> None:
        place, figure = low + mark * (high - low) / 100, figures(words)[0]
        digits = len(words.partition(".")[2].split(" ")[0]) if "." in words else 0
        off = place - figure if percent else abs(place - figure)
        assert -1e-9 <= off <= 10**-digits, (words, place)

    told(page.locator(".spread-cut-words").inner_text().removeprefix("threshold "), marks.threshold)
    first, last = line(page, "Spread").split("\n")[0].removesuffix(", unstable").split(" \u2013 ")
    told(first, min(marks.ticks))
    told(last, max(marks.ticks))
    rank = line(page, "Rank")
    assert percent == ("not known" not in rank)
    if percent:
        told(rank.removeprefix("above "), marks.answer)
        told(rank.partition("The threshold is above ")[2], marks.threshold)


def prompts_agree(page: Page, marks: Marks) -> None:
    """Each prompt in the list and under the pointer."""
    page.locator(".answer-fold-head", has_text="All wordings").click()
    listed = page.locator(".prompt-side").all_inner_texts()
    assert listed == [
        "at or above" if tick >= marks.threshold else "below" for tick in sorted(marks.ticks, reverse=True)
    ]
    slider = page.get_by_role("slider", name="Prompts by position")
    slider.focus()
    read = page.evaluate(MARKED, ["Home"] + ["ArrowRight"] * (len(marks.ticks) - 1))
    for tick, (words, marked) in zip(marks.ticks, read, strict=True):
        assert side_of(words, ", SIDE the threshold") == (tick >= marks.threshold)
        assert marked == [tick]


def verdict_agrees(page: Page, marks: Marks) -> None:
    verdict, why = page.locator(".answer-word").inner_text(), page.locator(".answer-why").inner_text()
    assert page.locator(".spread-track").get_attribute("data-verdict") == verdict
    if verdict == "cannot judge":
        assert page.locator(".answer-said").count() == 0
        return
    assert (verdict in FLAGGED) == marks.flagged and marks.against < UNSTABLE_SHARE * len(marks.ticks)
    said = page.locator(".answer-said").inner_text()
    if "not known" in said:
        return
    assert why.startswith("At or above the threshold" if marks.flagged else "Below the threshold")
    share, _, low, high = figures(said.replace("-", " "))
    assert low <= share <= high and (verdict == "likely") == (marks.flagged and low >= 50)


def test_the_draws_show_every_verdict_and_both_scales(answers: list[dict[str, Any]]) -> None:
    assert {each["verdict"] for each in answers} >= {"likely", "possible", "not flagged", "cannot judge"}
    assert {each["spread"]["unit"] for each in answers} == {"percentile", "margin"}
    assert {each["spread"]["unstable"] for each in answers} == {True, False}
    assert len({each["spread"]["above"] for each in answers}) > 4
