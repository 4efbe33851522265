"""What a question is taken for."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.asking.answer import NearFinding
from explorer.asking.finding_match import FindingEmbeddings, matching_finding, named_finding, paraphrases
from tests.explorer.asking.fake import text_vector


def embed(texts: list[str]) -> np.ndarray:
    return np.stack([text_vector(text) for text in texts])


KNOWN = FindingEmbeddings.of(embed)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("Pleural Effusion", "Pleural Effusion"),
        ("small left pleural effusions", "Pleural Effusion"),
        ("fracture of the left clavicle", "Fracture"),
        ("nodule in the right upper lobe", "Nodule"),
        ("fluid in the left lung", "Edema"),  # "fluid in the lungs", whatever the side
        ("air and fluid around the lung", "Hydropneumothorax"),  # the longest phrase
        ("pericardial effusion", None),
        ("subcutaneous emphysema", "Subcutaneous Emphysema"),
        ("emphysema under the skin", None),
        ("a cat", None),
    ],
)
def test_the_same_words_whatever_side_and_number(text: str, finding: str | None) -> None:
    assert named_finding(text) == finding


def test_the_same_words_count_as_one_and_come_first() -> None:
    nearest = KNOWN.nearest("left effusion", text_vector("left effusion"))
    assert nearest[0] == NearFinding("Pleural Effusion", 1.0)
    assert len(nearest) == 3 and nearest[1].similarity >= nearest[2].similarity
    assert matching_finding("left effusion", nearest, measured=False) == nearest[0]


@pytest.mark.parametrize(
    ("text", "nearest", "measured", "taken"),
    [
        ("soggy lungs", (NearFinding("Edema", 0.7), NearFinding("Mass", 0.5)), True, True),
        (
            "soggy lungs",
            (NearFinding("Edema", 0.7), NearFinding("Mass", 0.5)),
            False,
            False,
        ),  # another model's similarities
        ("soggy lungs", (NearFinding("Edema", 0.55), NearFinding("Mass", 0.3)), True, False),  # too far
        ("soggy lungs", (NearFinding("Edema", 0.7), NearFinding("Mass", 0.68)), True, False),  # between two
        (
            "pericardial effusion",
            (NearFinding("Pleural Effusion", 0.9), NearFinding("Mass", 0.1)),
            True,
            False,
        ),  # another organ
        ("hardly normal", (NearFinding("Normal", 0.9), NearFinding("Mass", 0.1)), True, False),  # opposites are near
        ("hemothorax", (NearFinding("Pneumothorax", 0.9), NearFinding("Mass", 0.1)), True, False),  # another finding
    ],
)
def test_near_words_are_taken_for_a_finding_where_nothing_speaks_against_it(
    text: str, nearest: tuple[NearFinding, ...], measured: bool, taken: bool
) -> None:
    assert matching_finding(text, nearest, measured) == (nearest[0] if taken else None)


def test_paraphrases_leave_the_question_itself_out() -> None:
    words = paraphrases("Pleural Effusion", "Effusion")
    assert "pleural effusion" in words and "effusion" not in words
