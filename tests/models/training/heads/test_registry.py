"""Recipes name heads and their parameters; what they misspell is said."""

from __future__ import annotations

import math
import tomllib

import pytest

from models.training.heads.registry import HEAD_TYPES, Parameter, build_head, head_defaults
from models.training.heads.residual_attention import ResidualAttentionHead
from tests.support.wording import Wording


@pytest.mark.parametrize(("name", "kind"), HEAD_TYPES.items())
def test_a_name_gives_its_head_with_the_defaults(name: str, kind: type) -> None:
    head = build_head(name, {}, 6, 4, 0.2)
    assert type(head) is kind and (head.channels, head.findings, head.dropout) == (6, 4, 0.2)
    assert head_defaults(name) or name == "pcam", "every head but PCAM has something to set"
    assert type(build_head(name, head_defaults(name), 6, 4, 0.2)) is kind


def test_parameters_come_from_a_recipes_toml() -> None:
    head = build_head("residual-attention", tomllib.loads("temperature = inf\nweight = 1\nnormalize = true"), 6, 4, 0.0)
    assert isinstance(head, ResidualAttentionHead)
    assert (head.temperatures, head.weight, head.normalize) == ((math.inf,), 1, True)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("liner", {}, "head 'liner'"),
        ("linear", {"bias": 1.0}, "parameter 'bias'"),
        ("linear", {"dropout": 0.5}, "has no parameter 'dropout'"),
        ("ml-decoder", {"width": 64.0}, r"head 'ml-decoder' is 64\.0"),
        ("ml-decoder", {"width": True}, "'ml-decoder' is True"),
        ("ml-decoder", {"learned_queries": 1}, r"value like False"),
        ("residual-attention", {"weight": False}, r"value like 0\.1"),
        ("residual-attention", {"temperature": "inf"}, "'residual-attention' is 'inf'"),
        ("mixture-of-experts", {"experts": 1}, "of 1 experts"),
    ],
)
def test_what_is_misspelled_is_said(
    name: str, parameters: dict[str, Parameter], message: str, wording: Wording
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        build_head(name, parameters, 6, 4, 0.0)
    wording(caught.value)
