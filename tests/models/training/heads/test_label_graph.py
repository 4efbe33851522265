"""The label graph by hand, and the weights that it gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from models.training.heads.label_graph import LabelGraphHead, label_graph

# Finding 0 on four films, 1 on two of them (and no other), 2 on one other film; 3 on none, once unknown.
LABELS = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, np.nan], [0, 0, 1, 0]], np.float32)


def test_the_graph_by_hand() -> None:
    # of films with 0, half have 1; of films with 1, all have 0
    found = label_graph(LABELS, threshold=0.6, neighbors=0.2)
    expected = [[1, 0, 0, 0], [0.2, 0.8, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(label_graph(LABELS, 0.5, 0.2)[0], [0.8, 0.2, 0, 0], atol=1e-6)


def test_several_neighbors_share_what_is_given() -> None:
    labels = np.ones((3, 3), np.float32)
    np.testing.assert_allclose(label_graph(labels, 0.4, 0.2), np.full((3, 3), 0.1) + 0.7 * np.eye(3), atol=1e-6)


def test_a_findings_weights_are_mixed_with_its_neighbors() -> None:
    """With both convolutions known, the logits are those of the formula."""
    torch.manual_seed(0)
    head = LabelGraphHead(5, 4, 0.0, hidden=6, threshold=0.6, sharpness=2.0).eval()
    names = head.get_buffer("names")
    head.get_buffer("graph").copy_(torch.from_numpy(label_graph(LABELS, 0.6, 0.2)))
    graph = head.get_buffer("graph")
    weights = graph @ functional.leaky_relu(graph @ names @ head.first, 0.2) @ head.second
    maps = torch.randn(3, 5, 1, 1)  # one place: pooling changes nothing
    torch.testing.assert_close(head(maps).logits, maps.flatten(1) @ weights.T + head.bias)


def test_names_are_embedded_and_the_graph_is_kept_with_the_weights() -> None:
    head = LabelGraphHead(5, 4, 0.0, hidden=6)
    head.see_labels(("Mass", "Nodule", "Fracture", "Hernia"), LABELS)
    names = head.get_buffer("names")
    torch.testing.assert_close(names.norm(dim=1), torch.ones(4), rtol=1e-3, atol=1e-3)
    assert names[0] @ names[1] > names[0] @ names[2], "a mass is more like a nodule than like a fracture"
    other = LabelGraphHead(5, 4, 0.0, hidden=6)
    other.load_state_dict(head.state_dict())
    maps = torch.randn(2, 5, 2, 2)
    torch.testing.assert_close(other.eval()(maps).logits, head.eval()(maps).logits)


@pytest.mark.parametrize("wrong", [{"hidden": 0}, {"threshold": 0.0}, {"neighbors": 1.0}, {"sharpness": 0.0}])
def test_what_is_no_graph_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be above 0|from above 0 to 1"):
        LabelGraphHead(5, 4, 0.0, **wrong)  # type: ignore[arg-type]
