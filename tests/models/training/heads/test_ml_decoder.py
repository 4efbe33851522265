"""ML-Decoder by hand in NumPy, and against timm's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from timm.layers.ml_decoder import MLDecoder

from models.training.heads.ml_decoder import MlDecoderHead
from tests.support.wording import Wording

Numbers = NDArray[np.float64]
KINDS = ("weight", "bias")


def _norm(rows: Numbers) -> Numbers:
    return (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)


def _softmax(rows: Numbers) -> Numbers:
    powers = np.exp(rows - rows.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _weights(head: MlDecoderHead) -> dict[str, Numbers]:
    return {name: tensor.numpy().astype(np.float64) for name, tensor in head.state_dict().items()}


def test_one_layer_by_hand() -> None:
    """Two places, three findings, width 4 in two attention heads; norms without scale, each step written out."""
    torch.manual_seed(1)
    head = MlDecoderHead(3, 3, 0.5, width=4, hidden=5, attention_heads=2).eval()
    w = _weights(head)
    maps = np.random.default_rng(1).normal(size=(1, 3, 1, 2)).astype(np.float32)
    places = np.maximum(maps[0, :, 0].T @ w["embed.weight"].T + w["embed.bias"], 0)  # (2, 4)
    q = _norm(2 * w["queries"])  # (3, 4)
    asks = q @ w["ask.weight"].T + w["ask.bias"]
    keys = places @ w["key.weight"].T
    values = places @ w["value.weight"].T + w["value.bias"]
    seen = [
        _softmax(asks[:, half] @ keys[:, half].T / np.sqrt(2)) @ values[:, half] for half in (slice(2), slice(2, 4))
    ]
    q = _norm(q + np.concatenate(seen, 1) @ w["joined.weight"].T + w["joined.bias"])
    fed = np.maximum(q @ w["widen.weight"].T + w["widen.bias"], 0) @ w["narrow.weight"].T + w["narrow.bias"]
    q = _norm(q + fed)
    expected = [q[finding] @ w["groups"][finding, :, 0] + w["bias"][finding] for finding in range(3)]
    assert head(torch.from_numpy(maps)).logits[0].tolist() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("findings", "queries"), [(3, 3), (5, 3)], ids=["a query each", "groups of two, one short"])
def test_the_logits_are_those_of_timms(findings: int, queries: int) -> None:
    torch.manual_seed(2)
    head = MlDecoderHead(6, findings, 0.3, width=16, hidden=2048, queries=queries).eval()
    theirs = MLDecoder(findings, num_of_groups=queries, decoder_embedding=16, initial_num_features=6).eval()
    own = head.state_dict()
    theirs.decoder = theirs.decoder.layers[0]  # torch's stack of one asks it for the self-attention that it lacks
    theirs.load_state_dict(
        {
            "embed_standart.weight": own["embed.weight"],
            "embed_standart.bias": own["embed.bias"],
            "query_embed.weight": own["queries"],
            "decoder.multihead_attn.in_proj_weight": torch.cat([own[f"{n}.weight"] for n in ("ask", "key", "value")]),
            "decoder.multihead_attn.in_proj_bias": torch.cat([own["ask.bias"], torch.ones(16), own["value.bias"]]),
            "decoder.multihead_attn.out_proj.weight": own["joined.weight"],
            "decoder.multihead_attn.out_proj.bias": own["joined.bias"],
            **{
                f"decoder.linear{i}.{kind}": own[f"{n}.{kind}"]
                for i, n in ((1, "widen"), (2, "narrow"))
                for kind in KINDS
            },
            **{f"decoder.norm{i + 1}.{kind}": own[f"norms.{i}.{kind}"] for i in range(3) for kind in KINDS},
            "duplicate_pooling": own["groups"],
            "duplicate_pooling_bias": own["bias"],
        }
    )
    maps = torch.randn(4, 6, 2, 3)
    with torch.no_grad():  # ones as the bias of the keys: it makes no difference, which is why there is none here
        torch.testing.assert_close(head(maps).logits, theirs(maps), rtol=1e-4, atol=1e-5)


def test_queries_stay_unless_learned() -> None:
    fixed, learned = (MlDecoderHead(3, 4, 0.0, width=8, learned_queries=learn) for learn in (False, True))
    assert "queries" not in dict(fixed.named_parameters()) and "queries" in fixed.state_dict()
    assert dict(learned.named_parameters())["queries"].shape == (4, 8)


def test_a_finding_does_not_hear_another_findings_query() -> None:
    torch.manual_seed(3)
    head, maps = MlDecoderHead(3, 4, 0.0, width=8).eval(), torch.randn(2, 3, 2, 2)
    with torch.no_grad():
        before = head(maps).logits
        head.queries[1] += 1 + torch.arange(8)
        after = head(maps).logits
    assert not torch.equal(before[:, 1], after[:, 1])
    torch.testing.assert_close(before[:, [0, 2, 3]], after[:, [0, 2, 3]])


def test_no_query_answers_for_nothing() -> None:
    assert MlDecoderHead(3, 30, 0.0, width=8, queries=20).groups.shape == (15, 8, 2)
    assert MlDecoderHead(3, 30, 0.0, width=8, queries=4).groups.shape == (4, 8, 8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 12}, "8 attention heads"),
        ({"attention_heads": 0}, "0 attention heads"),
        ({"queries": 5}, "5 queries for 4 findings"),
        ({"inner_dropout": 1.0}, "inner dropout is 1.0"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, int], message: str, wording: Wording) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        MlDecoderHead(3, 4, 0.0, **arguments)  # type: ignore[arg-type]
    wording(caught.value)
