"""Finds and builds heads by their names in recipes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from models.training.heads.cross_view import CrossViewHead
from models.training.heads.diverse_experts import DiverseExpertsHead
from models.training.heads.head import Head
from models.training.heads.label_graph import LabelGraphHead
from models.training.heads.linear import LinearHead
from models.training.heads.log_sum_exp import LogSumExpHead
from models.training.heads.mixture_of_experts import MixtureOfExpertsHead
from models.training.heads.ml_decoder import MlDecoderHead
from models.training.heads.pcam import PcamHead
from models.training.heads.query_decoder import QueryDecoderHead
from models.training.heads.residual_attention import ResidualAttentionHead
from models.training.heads.three_class import ThreeClassHead
from models.training.nearest_name import nearest_words, unknown_name
from models.training.parameters import Parameter, has_type_of

HEAD_TYPES: Mapping[str, type[Head]] = {
    "linear": LinearHead,
    "ml-decoder": MlDecoderHead,
    "residual-attention": ResidualAttentionHead,
    "mixture-of-experts": MixtureOfExpertsHead,
    "pcam": PcamHead,
    "log-sum-exp": LogSumExpHead,
    "query-decoder": QueryDecoderHead,
    "label-graph": LabelGraphHead,
    "diverse-experts": DiverseExpertsHead,
    "three-class": ThreeClassHead,
    "cross-view": CrossViewHead,
}


def head_defaults(name: str) -> dict[str, Parameter]:
    """Return the parameters of a head that a recipe may set, with their defaults.

    These are the head's keyword-only arguments, so that they are named and documented in one place. Raises ValueError
    for an unknown name.
    """
    if name not in HEAD_TYPES:
        raise ValueError(unknown_name("head", name, HEAD_TYPES))
    arguments = inspect.signature(HEAD_TYPES[name]).parameters.values()
    return {each.name: each.default for each in arguments if each.kind is each.KEYWORD_ONLY}


def build_head(name: str, parameters: Mapping[str, Parameter], channels: int, findings: int, dropout: float) -> Head:
    """Return a new head for feature maps of `channels` (c) and `findings` (k), with weights drawn from torch's seed.

    Raises ValueError for an unknown name or parameter, one of the wrong type, or one that the head refuses.
    """
    known = head_defaults(name)
    for key, value in parameters.items():
        if key not in known:
            near = nearest_words(key, known)
            raise ValueError(f"The head {name!r} has no parameter {key!r}. {near}It has {', '.join(known)}.")
        if not has_type_of(value, known[key]):
            kind = type(known[key]).__name__
            raise ValueError(f"{key} of the head {name!r} is {value!r}; give a value like {known[key]!r} ({kind}).")
    return HEAD_TYPES[name](channels, findings, dropout, **parameters)
