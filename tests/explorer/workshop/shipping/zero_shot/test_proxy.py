"""Parameters are chosen on seen findings that were taken out of everything, as if nobody had seen them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from explorer.workshop.shipping.zero_shot.proxy import (
    BRANCH_SHARES,
    ChosenParameters,
    Tower,
    choose_parameters,
    direction_cosines,
    text_margins,
)
from models.training.shipping.vlm.lit import Directions, EvidenceLines

SEEN, WIDE, FILMS = 12, 16, 300
RANDOM = np.random.default_rng(0)
LABELS = (RANDOM.random((FILMS, SEEN)) < 0.3).astype(np.float32)
WORDS = np.eye(SEEN, WIDE, dtype=np.float32)


def tower(noise: float) -> Tower:
    logits = (4 * LABELS - 2 + noise * RANDOM.normal(size=LABELS.shape)).astype(np.float32)
    ones = EvidenceLines(np.ones(SEEN), np.zeros(SEEN))
    return Tower(logits, logits, np.eye(SEEN, dtype=np.float32), np.zeros(SEEN, dtype=np.float32), ones)


def directions_of(asked: list[list[int]]) -> Callable[[Sequence[int]], Directions]:
    def of(kept: Sequence[int]) -> Directions:
        asked.append(list(kept))
        anchor = np.zeros(WIDE)
        anchor[-1] = 1
        return Directions(WORDS[list(kept)].T.astype(np.float64), anchor)

    return of


def test_six_findings_are_taken_out_of_every_round_and_normal_never() -> None:
    rounds: list[list[int]] = []
    choose_parameters(tower(1.0), LABELS, directions_of(rounds), WORDS, normal=0)
    assert len(rounds) == 5 and all(len(kept) == SEEN - 6 and 0 in kept for kept in rounds)
    assert len({tuple(kept) for kept in rounds}) > 1


def test_where_words_tell_nothing_the_best_share_is_still_one_of_those_tried() -> None:
    found: ChosenParameters = choose_parameters(tower(1.0), LABELS, directions_of([]), WORDS, normal=0)
    assert found.share in BRANCH_SHARES and 0.4 < found.dual < 0.6, "words without likeness are at chance"
    assert found.text == pytest.approx(0.5, abs=0.06)


def test_words_like_those_of_a_seen_finding_are_answered_by_it() -> None:
    """The second half of the findings are the first half's twins, in words and on films."""
    twins = LABELS.copy()
    twins[:, SEEN // 2 :] = twins[:, : SEEN // 2]
    words = WORDS.copy()
    words[SEEN // 2 :] = 0.9 * WORDS[: SEEN // 2] + 0.4 * WORDS[SEEN // 2 :]
    logits = (4 * twins - 2 + RANDOM.normal(size=twins.shape)).astype(np.float32)
    ones = EvidenceLines(np.ones(SEEN), np.zeros(SEEN))
    seen = Tower(logits, logits, np.eye(SEEN, dtype=np.float32), np.zeros(SEEN, dtype=np.float32), ones)

    def of(kept: Sequence[int]) -> Directions:
        anchor = np.zeros(WIDE)
        anchor[-1] = 1
        return Directions(words[list(kept)].T.astype(np.float64), anchor)

    found = choose_parameters(seen, twins, of, words, normal=0)
    assert found.text > 0.65 and found.dual > 0.65


def test_margins_and_likeness() -> None:
    solved = tower(0.5).solved(directions_of([])(range(SEEN)))
    said = text_margins(solved, LABELS * 4 - 2, WORDS)
    present = LABELS > 0.5
    assert all(said[present[:, k], k].min() > said[~present[:, k], k].max() - 1e-3 for k in range(SEEN))
    assert direction_cosines(np.array([[3.0, 0.0]]), np.array([[2.0, 2.0], [0.0, 1.0]])) == pytest.approx(
        np.array([[np.sqrt(0.5), 0.0]])
    )
