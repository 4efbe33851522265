"""Captions say what the labels say, in words that are not held out."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from safetensors import safe_open

from models.cards.card import PROJECT
from models.prompts.templates import check_templates
from models.prompts.terms import terms
from models.training.nih.dataset import NIH_FINDINGS
from models.training.shipping.vlm.captions import (
    CAPTION_TEMPLATES,
    Caption,
    caption_pairs,
    claim_matrix,
    film_captions,
    taught_phrases,
)

NAMES = list(NIH_FINDINGS.values())
DENIED = re.compile(r"\b(no|not|without|absent|free)\b")


@pytest.fixture(scope="module")
def labels() -> np.ndarray:
    with safe_open(PROJECT / "models" / "weights" / "nih-mini.oof.safetensors", "np") as file:
        assert json.loads(file.metadata()["findings"]) == NAMES
        return file.get_tensor("labels").astype(np.float32)


@pytest.fixture(scope="module")
def told(labels: np.ndarray) -> list[tuple[np.ndarray, Caption]]:
    """Films with a caption of their own: one row at a time."""
    generator = np.random.default_rng(5)
    return [(row, caption) for row in labels for caption in film_captions(row[None], NAMES, generator)]


def named(text: str) -> set[int]:
    """The findings whose phrases stand in a text, longer phrases first so that a part of one is not found again."""
    found = set()
    owners = {phrase: k for k in range(len(NAMES)) for phrase in taught_phrases(NAMES[k])}
    for phrase in sorted(owners, key=len, reverse=True):
        if re.search(rf"\b{re.escape(phrase)}\b", text):
            found.add(owners[phrase])
            text = re.sub(rf"\b{re.escape(phrase)}\b", "", text)
    return found


def test_a_caption_of_a_film_claims_nothing_that_its_labels_do_not_say(told: list[tuple[np.ndarray, Caption]]) -> None:
    for row, caption in told:
        assert all(row[k] == 1 for k in caption.present), caption
        assert all(row[k] == 0 for k in caption.absent), caption


@pytest.mark.slow
def test_a_caption_names_what_it_claims_and_denies_what_it_calls_absent(
    told: list[tuple[np.ndarray, Caption]],
) -> None:
    for _, caption in told:
        assert named(caption.text) == {*caption.present, *caption.absent}, caption
        parts = caption.text.split(". ")
        assert bool(caption.present) + bool(caption.absent) == len(parts)
        if caption.present:
            assert named(parts[0]) == set(caption.present)
        if caption.absent:
            assert DENIED.search(parts[-1]), caption


def test_captions_of_films_combine_and_deny(told: list[tuple[np.ndarray, Caption]]) -> None:
    captions = [caption for _, caption in told]
    assert sum(len(caption.present) > 1 for caption in captions) > 100
    assert sum(len(caption.absent) > 0 and len(caption.present) > 0 for caption in captions) > 500
    assert {k for caption in captions for k in caption.present} == set(range(15))


def test_a_pair_differs_in_what_it_claims_alone() -> None:
    for k in range(15):
        for phrase in taught_phrases(NAMES[k]):
            pairs = caption_pairs(k, NAMES[k], phrase)
            assert len(pairs) >= 10
            for present, absent in pairs:
                assert (present.present, present.absent) == ((k,), ())
                assert (absent.present, absent.absent) == ((), (k,))
                assert present.text != absent.text
                assert "{" not in present.text + absent.text


def test_no_caption_holds_a_paraphrase_that_is_held_out(told: list[tuple[np.ndarray, Caption]]) -> None:
    texts = [caption.text for _, caption in told]
    texts += [
        each.text
        for k in range(15)
        for phrase in taught_phrases(NAMES[k])
        for pair in caption_pairs(k, NAMES[k], phrase)
        for each in pair
    ]
    every = "\n".join(texts).lower()
    for words in terms().values():
        for phrase in words.held_out:
            assert not re.search(rf"\b{re.escape(phrase.lower())}\b", every), phrase


def test_the_templates_can_be_filled_and_come_first() -> None:
    assert len(check_templates(CAPTION_TEMPLATES)) >= 5
    first = caption_pairs(NAMES.index("Mass"), "Mass", "mass")[: len(CAPTION_TEMPLATES)]
    filled = [(each.positive.format("mass"), each.negative.format("mass")) for each in CAPTION_TEMPLATES]
    assert [(present.text, absent.text) for present, absent in first] == filled


def test_claims_are_halves() -> None:
    said = claim_matrix([Caption("", (0, 2), (1,)), Caption("", (), ())], 4)
    np.testing.assert_array_equal(said, [[0.5, -0.5, 0.5, 0], [0, 0, 0, 0]])
