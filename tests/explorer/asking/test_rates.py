"""How often the warnings are right, and what questions are taken for, on lists the rules were not made on.

The shipped text tower embeds the questions. Each rate is asserted with a little room and printed by `pytest -s`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.asking.answer import NearFinding
from explorer.asking.cautions import cautions, scored_text
from explorer.asking.finding_match import FindingEmbeddings, matching_finding
from explorer.core.findings import PADCHEST_WORDS
from explorer.core.rates import Rate
from models.prompts.terms import terms

LISTS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))
REPORTED = {
    name: [each.strip() for each in text.replace("\n", ";").split(";") if each.strip()]
    for name, text in LISTS["reported"].items()
}
LANGUAGES = ("spanish", "portuguese", "french", "german")
Embed = Callable[[list[str]], list]


@pytest.fixture(scope="module")
def known() -> tuple[FindingEmbeddings, Embed]:
    from models.load import vlm

    model = vlm("nih-mini-vlm", "cpu")
    return FindingEmbeddings.of(model.embed_texts), model.embed_texts  # type: ignore[return-value]


def warned(known: tuple[FindingEmbeddings, Embed], texts: list[str]) -> list[set[str]]:
    """The kinds of warnings of each text."""
    scored = [scored_text(text) for text in texts]
    near = [found[0] for found in nearest(known, scored)]
    return [{each.kind for each in cautions(*found, True)} for found in zip(texts, scored, near, strict=True)]


def taken(known: tuple[FindingEmbeddings, Embed], texts: list[str]) -> list[str | None]:
    """The finding that each text is taken for."""
    found = [matching_finding(text, near, True) for text, near in zip(texts, nearest(known, texts), strict=True)]
    return [each.finding if each else None for each in found]


def nearest(known: tuple[FindingEmbeddings, Embed], texts: list[str]) -> list[tuple[NearFinding, ...]]:
    """The findings nearest to each text."""
    return [known[0].nearest(text, vector) for text, vector in zip(texts, known[1](texts), strict=True)]


def rate(name: str, right: list[bool]) -> float:
    """The rate with n and its interval, printed."""
    found = Rate(sum(right), len(right))
    assert found.value is not None and found.interval is not None
    low, high = found.interval
    sys.stdout.write(f"{name}: {found.hits} of {found.n}, {found.value:.2f} [{low:.2f}-{high:.2f}]\n")
    return found.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lists", "kinds", "least"),
    [
        (("unrelated",), {"not radiographic", "unknown word"}, 0.85),
        (LANGUAGES, {"not English"}, 0.8),
        (("nonwords",), {"unknown word"}, 0.85),
        (("negated",), {"negated"}, 0.85),
        (("several",), {"several findings"}, 0.85),
    ],
)
def test_what_is_wrong_with_a_question_is_found(
    known: tuple[FindingEmbeddings, Embed], lists: tuple[str, ...], kinds: set[str], least: float
) -> None:
    texts = [text for name in lists for text in REPORTED[name]]
    assert rate(" or ".join(sorted(kinds)), [not kinds.isdisjoint(each) for each in warned(known, texts)]) >= least


def test_non_words_are_no_language(known: tuple[FindingEmbeddings, Embed]) -> None:
    taken_for_a_language = ["not English" in each for each in warned(known, REPORTED["nonwords"])]
    assert rate("non-words called a language", taken_for_a_language) <= 0.05


def test_no_verdict_comes_of_everyday_phrases_and_other_languages(known: tuple[FindingEmbeddings, Embed]) -> None:
    texts = [text for name in ("unrelated", *LANGUAGES) for text in REPORTED[name]]
    wrong = {"not radiographic", "unknown word", "not English", "several findings"}
    forbidden = [bool(each & wrong) for each in warned(known, texts)]
    assert rate("no verdict of what is no question", forbidden) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [("label names of PadChest, CheXpert and VinBig", 0.08), ("paraphrases", 0.2), ("questions for one finding", 0.1)],
)
def test_right_questions_are_seldom_warned_of(known: tuple[FindingEmbeddings, Embed], name: str, most: float) -> None:
    texts = {
        "label names of PadChest, CheXpert and VinBig": REPORTED["labels"],
        "paraphrases": [text for each in terms().values() for text in each.held_out],
        "questions for one finding": REPORTED["single"],
    }[name]
    assert rate(f"{name}, warned of", [bool(each - {"side or size"}) for each in warned(known, texts)]) <= most


def test_label_names_of_padchest_are_taken_for_the_finding_they_mean(known: tuple[FindingEmbeddings, Embed]) -> None:
    texts = [text for text in REPORTED["labels"] if text in PADCHEST_WORDS]
    found = [(PADCHEST_WORDS[text], each) for text, each in zip(texts, taken(known, texts), strict=True)]
    assert rate("PadChest words taken for a finding", [each is not None for _, each in found]) >= 0.75
    assert rate("of these the right one", [meant == each for meant, each in found if each]) >= 0.95


def test_paraphrases_are_taken_for_their_finding_or_for_nothing(known: tuple[FindingEmbeddings, Embed]) -> None:
    """Of every other finding: nearness was chosen on the others."""
    chosen = [each for number, each in enumerate(terms().values()) if number % 2 == 0]
    texts = [text for each in chosen for text in each.held_out]
    meant = [each.finding for each in chosen for _ in each.held_out]
    found = list(zip(meant, taken(known, texts), strict=True))
    assert rate("paraphrases taken for a finding", [each is not None for _, each in found]) >= 0.3
    assert rate("of these the right one", [one == each for one, each in found if each]) >= 0.75


def test_fluid_in_the_left_pleural_space_is_an_effusion(known: tuple[FindingEmbeddings, Embed]) -> None:
    text = "fluid in the left pleural space"
    (near,) = nearest(known, [text])
    found = matching_finding(text, near, True)
    assert found and found.finding == "Pleural Effusion" and found.similarity == pytest.approx(0.82, abs=0.02)
