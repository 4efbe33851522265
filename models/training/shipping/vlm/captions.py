"""Makes captions from labels: what a film shows and does not show, in many phrasings. No report is read or copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.prompts.templates import Template
from models.prompts.terms import terms

# The templates with which the model is queried.
CAPTION_TEMPLATES = (
    Template("there is {}", "there is no {}"),
    Template("evidence of {}", "no evidence of {}"),
    Template("chest radiograph with {}", "chest radiograph without {}"),
    Template("the film shows {}", "the film does not show {}"),
    Template("findings of {}", "this view of the chest gives no reason to speak of {}"),
    Template("{} is present", "a standard frontal radiograph of the chest, {} is not seen"),
)
PHRASINGS = (
    *CAPTION_TEMPLATES,
    Template("{}", "no {}"),
    Template("impression: {}", "impression: no {}"),
    Template("signs of {} on the frontal film", "no signs of {} on the frontal film"),
    Template("a patient with {}", "a patient without {}"),
)
SITE_TEMPLATE = Template("abnormality of {place}: {}", "{place} without {}")
NORMAL_TEMPLATES = (
    Template("normal chest radiograph", "abnormal chest radiograph"),
    Template("the chest is normal", "the chest is not normal"),
    Template("no abnormality is seen", "an abnormality is seen"),
)
MAX_CLAIMS = 3  # findings stated as present in one caption; at most one fewer are stated as absent


@dataclass(frozen=True, slots=True)
class Caption:
    """A text and its claims, as indices of findings."""

    text: str
    present: tuple[int, ...]
    absent: tuple[int, ...]


def caption_pairs(k: int, name: str, phrase: str) -> list[tuple[Caption, Caption]]:
    """Return present and absent captions of the k-th finding, `name`, for one of its phrases, in every phrasing.

    Captions from CAPTION_TEMPLATES come first.
    """
    written = list(PHRASINGS)
    if name == "Normal":
        written += NORMAL_TEMPLATES
    else:  # a normal chest has no abnormality at any site
        place = terms()[name].place
        written.append(
            Template(*(text.replace("{place}", place) for text in (SITE_TEMPLATE.positive, SITE_TEMPLATE.negative)))
        )
    return [
        (Caption(each.positive.replace("{}", phrase), (k,), ()), Caption(each.negative.replace("{}", phrase), (), (k,)))
        for each in written
    ]


def film_captions(
    labels: NDArray[np.float32], names: Sequence[str], generator: np.random.Generator
) -> Iterator[Caption]:
    """Yield a caption of several true claims for each film of `labels` (n, findings named `names`)."""
    for row in labels:
        there = [k for k in range(len(row)) if row[k] > 0.5]
        gone = [k for k in range(len(row)) if row[k] <= 0.5 and names[k] != "Normal"]
        present = _drawn(there, int(generator.integers(1, MAX_CLAIMS + 1)), generator)
        absent = _drawn(gone, int(generator.integers(0, MAX_CLAIMS)), generator)
        if present or absent:
            text = _sentence([names[k] for k in present], [names[k] for k in absent], generator)
            yield Caption(text, tuple(present), tuple(absent))


def claim_matrix(captions: Sequence[Caption], count: int) -> NDArray[np.float64]:
    """Return the claims (t, findings) of captions: 1/2 for present, -1/2 for absent, 0 for unmentioned."""
    matrix = np.zeros((len(captions), count))
    for row, caption in enumerate(captions):
        matrix[row, list(caption.present)] = 0.5
        matrix[row, list(caption.absent)] = -0.5
    return matrix


def _sentence(present: list[str], absent: list[str], generator: np.random.Generator) -> str:
    parts = []
    for template, word, named in (
        (PHRASINGS[generator.integers(len(PHRASINGS))].positive, " and ", present),
        (PHRASINGS[generator.integers(len(PHRASINGS))].negative, " or ", absent),
    ):
        if named:
            parts.append(
                template.replace("{}", word.join(str(generator.choice(taught_phrases(name))) for name in named))
            )
    return ". ".join(parts)


def taught_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases that captions may use for a finding."""
    return terms()[name].taught


def _drawn(findings: list[int], most: int, generator: np.random.Generator) -> list[int]:
    return [findings[place] for place in generator.permutation(len(findings))[:most]]
