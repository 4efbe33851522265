"""Query decoder: queries see each other, text queries follow the names, experts replace the feed-forward layer."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.training.expert_layer import ExpertLayer
from models.training.heads.attention import Attention
from models.training.heads.query_decoder import QueryDecoderHead

SMALL = {"width": 16, "hidden": 24, "attention_heads": 4}
NAMES = ("Mass", "Nodule", "Fracture")


def test_attention_of_one_head_by_hand() -> None:
    attention = Attention(1, 1, 0.0).eval()
    with torch.no_grad():
        for layer in (attention.ask, attention.value, attention.joined, attention.key):
            layer.weight.fill_(1.0)
        for layer in (attention.ask, attention.value, attention.joined):
            layer.bias.zero_()
    rows = torch.tensor([[[0.0], [1.0]]])
    shares = torch.softmax(torch.tensor([0.0, 2.0]), 0)  # query 2 times keys 0 and 1
    assert attention(torch.tensor([[[2.0]]]), rows).item() == pytest.approx(shares[1].item(), rel=1e-6)
    seen = torch.tensor([[True, False]])
    assert attention(torch.tensor([[[2.0]]]), rows, seen).item() == pytest.approx(0.0), "an absent row is not seen"


def test_an_answer_depends_on_the_other_queries() -> None:
    torch.manual_seed(0)
    head, maps = QueryDecoderHead(8, 3, 0.0, **SMALL).eval(), torch.randn(2, 8, 2, 2)
    before = head(maps).logits
    with torch.no_grad():
        head.queries[2] += 1
    after = head(maps).logits
    assert not torch.allclose(before[:, 0], after[:, 0])


def test_text_queries_are_the_names_of_the_findings() -> None:
    torch.manual_seed(0)
    head, maps = QueryDecoderHead(8, 3, 0.0, text=True, **SMALL).eval(), torch.randn(2, 8, 2, 2)
    head.see_labels(NAMES, np.zeros((1, 3), np.float32))
    before = head(maps).logits
    head.see_labels(("Mass", "Nodule", "Mass"), np.zeros((1, 3), np.float32))
    with torch.no_grad():
        head.groups[2], head.bias[2] = head.groups[0], head.bias[0]
    after = head(maps).logits
    torch.testing.assert_close(after[:, 2], after[:, 0])
    assert not torch.allclose(before[:, 2], after[:, 2])


def test_experts_of_the_feed_forward_layer_have_a_load_loss() -> None:
    torch.manual_seed(0)
    head = QueryDecoderHead(8, 3, 0.0, experts=4, balance=0.5, **SMALL).eval()
    assert len([each for each in head.modules() if isinstance(each, ExpertLayer)]) == 1
    found = head(torch.randn(2, 8, 2, 2))
    (layer,) = (each for each in head.modules() if isinstance(each, ExpertLayer))
    assert found.auxiliary.item() == pytest.approx(0.5 * layer.last_balance.item())


@pytest.mark.parametrize(
    "wrong", [{"layers": 0}, {"width": 10, "attention_heads": 4}, {"inner_dropout": 1.0}, {"balance": -1.0}]
)
def test_what_does_not_fit_together_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"layers of|attention heads|inner dropout|balance loss"):
        QueryDecoderHead(8, 3, 0.0, **wrong)  # type: ignore[arg-type]
