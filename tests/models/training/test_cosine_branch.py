"""The classification branch on cosines: by hand, and that it transfers to a text it was not trained on."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.cosine_branch import CosineBranch, train_cosine_branch


def test_a_logit_by_hand() -> None:
    branch = CosineBranch(np.array([[1, 0], [0, 2]], np.float32), scale=10.0, bias=-1.0)
    features, texts = np.array([[3, 2]], np.float32), np.array([[0, 5], [1, 1]], np.float32)
    # projected (3, 4), of length 5: cosines 4/5, and 7 / (5 sqrt 2)
    found = branch.logits(features, texts)
    np.testing.assert_allclose(found, [[7, 10 * 7 / (5 * 2**0.5) - 1]], rtol=1e-6)


def test_it_learns_and_answers_for_a_text_it_never_saw() -> None:
    """Features are the turned sum of the texts of a film's findings; the unseen one's text lies between two."""
    random = np.random.default_rng(0)
    texts = random.normal(size=(9, 16)).astype(np.float32)
    texts[8] = texts[0] + texts[1]
    turn = np.linalg.qr(random.normal(size=(16, 16)))[0].astype(np.float32)
    labels = (random.random((400, 9)) < 0.3).astype(np.float32)
    labels[:, 8] = labels[:, :2].max(1)
    features = (labels[:, :8] @ texts[:8] @ turn + 0.1 * random.normal(size=(400, 16))).astype(np.float32)
    told = labels[:, :8].copy()
    told[::7, 2] = np.nan
    branch = train_cosine_branch(features, told, texts[:8], steps=200, rate=0.02)
    logits = branch.logits(features, texts)
    for k in range(9):
        present, absent = logits[labels[:, k] == 1, k], logits[labels[:, k] == 0, k]
        assert (present[:, None] > absent).mean() > (0.75 if k == 8 else 0.9), f"finding {k}"


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        train_cosine_branch(np.zeros((2, 3), np.float32), np.zeros((2, 4), np.float32), np.zeros((5, 3), np.float32))
