"""The projection in closed form, on a small text space and a small tower."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.shipping.vlm.lit import (
    MIN_SLOPE,
    CaptionPairs,
    EvidenceLines,
    calibrate,
    fit_directions,
    fit_projection,
)

D, FEATURES, FINDINGS = 24, 12, 3


@pytest.fixture(scope="module")
def words() -> tuple[CaptionPairs, np.ndarray, np.ndarray]:
    """Differences around one axis for each finding, all sharing an axis of negation, and captions of two claims."""
    random = np.random.default_rng(0)
    of = np.repeat(np.arange(FINDINGS), 8)
    axes = np.eye(D)[:FINDINGS]
    differences = 0.4 * axes[of] + 0.5 * np.eye(D)[FINDINGS] + 0.02 * random.normal(size=(len(of), D))
    said = random.choice([-0.5, 0.0, 0.5], size=(60, FINDINGS))
    told = said @ axes * 0.4 + np.eye(D)[-1] + 0.02 * random.normal(size=(60, D))
    return CaptionPairs(differences.astype(np.float32), of, np.ones(len(of))), told.astype(np.float32), said


def test_margins_are_the_evidence(words: tuple[CaptionPairs, np.ndarray, np.ndarray]) -> None:
    where = fit_directions(*words)
    random = np.random.default_rng(1)
    weight = random.normal(size=(FINDINGS, FEATURES)).astype(np.float32)
    bias = random.normal(size=FINDINGS).astype(np.float32)
    features = random.normal(size=(200, FEATURES)).astype(np.float32)
    known = EvidenceLines(np.array([0.5, 1.0, 2.0]), np.array([0.1, -0.2, 0.0]))
    evidence = known.of(features @ weight.T + bias)
    found = fit_projection(weight, bias, known, where, evidence)
    embeddings = found.embed(features)
    np.testing.assert_allclose(np.linalg.norm(embeddings, axis=1), 1, atol=1e-5)
    pairs = words[0]
    mean = np.stack([pairs.differences[pairs.of == k].mean(0) for k in range(FINDINGS)])
    margins = found.scale * embeddings @ mean.T
    for k in range(FINDINGS):
        assert np.corrcoef(margins[:, k], evidence[:, k])[0, 1] > 0.97
        assert np.abs(np.polyfit(evidence[:, k], margins[:, k], 1)[0] - 1) < 0.2
        others = [abs(np.corrcoef(margins[:, k], evidence[:, j])[0, 1]) for j in range(FINDINGS) if j != k]
        assert max(others) < 0.5


def test_the_anchor_is_near_to_every_caption_and_moves_no_margin(
    words: tuple[CaptionPairs, np.ndarray, np.ndarray],
) -> None:
    pairs, told, said = words
    anchor = fit_directions(pairs, told, said).anchor
    assert np.linalg.norm(anchor) == pytest.approx(1)
    assert (told @ anchor).min() > 0.5
    assert np.abs(pairs.differences @ anchor).max() < 0.1


def test_every_finding_weighs_the_same_however_many_phrases_it_has(
    words: tuple[CaptionPairs, np.ndarray, np.ndarray],
) -> None:
    pairs, told, said = words
    twice = np.concatenate([np.arange(len(pairs.of)), np.flatnonzero(pairs.of == 0)])
    more = CaptionPairs(pairs.differences[twice], pairs.of[twice], pairs.weights[twice])
    np.testing.assert_allclose(
        fit_directions(more, told, said).findings, fit_directions(pairs, told, said).findings, atol=1e-9
    )


def test_calibration_is_even_at_even_odds_and_never_turned_round() -> None:
    random = np.random.default_rng(2)
    labels = np.zeros((4000, 2), dtype=np.float32)
    labels[:400] = 1
    logits = random.normal(size=(4000, 2)).astype(np.float32)
    logits[:400, 0] += 2
    logits[:400, 1] -= 2
    known = calibrate(labels, logits)
    # Two normal distributions of deviation 1 around 0 and 2: log likelihood ratio 2 x - 2.
    assert known.slopes[0] == pytest.approx(2, rel=0.1)
    assert known.shifts[0] == pytest.approx(-2, rel=0.1)
    assert known.slopes[1] == MIN_SLOPE
