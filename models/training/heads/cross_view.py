"""Cross-view transformer: the places of all films of a study attend to each other before findings are asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.attention import Attention, FeedForward
from models.training.heads.head import Head
from models.training.heads.ml_decoder import MlDecoderHead
from models.training.heads.output import HeadOutput


class CrossViewHead(Head):
    """Transformer encoder over the places of all films of a study, then an ML-Decoder (Kim, CheXFusion, 2023).

    Each film's feature map gets a sine position code and the learned code of its view, frontal or lateral; absent films
    are not attended to. So the order of films does not matter: T1's own code has a code for each place in that order.
    Encoder layers and decoder: Vaswani et al., NIPS 2017, sections 3.1 to 3.5, and Ridnik et al., WACV 2023, section 2.
    CXR-LT 2023 T1 (section 3.2.1) fuses the films of a study this way on a frozen backbone, with two layers of width
    768; the values here suit two cores. `forward` reads a frontal film alone.
    """

    reads_studies = True

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        layers: int = 1,
        width: int = 256,
        hidden: int = 512,
        attention_heads: int = 8,
        text: bool = True,
        inner_dropout: float = 0.1,
    ) -> None:
        """`text` makes the decoder ask by the findings' names. Raises ValueError if these do not fit together."""
        super().__init__(channels, findings, dropout)
        if layers < 1 or width % 4:
            raise ValueError(f"{layers} layers and width {width} are no encoder; use 1 or more, and a multiple of 4.")
        self.embed = nn.Linear(channels, width)
        self.views = nn.Parameter(torch.randn(2, width) * 0.02)  # frontal, lateral
        self.layers = nn.ModuleList(_EncoderLayer(width, hidden, attention_heads, inner_dropout) for _ in range(layers))
        self.decoder = MlDecoderHead(
            width,
            findings,
            dropout,
            width=width,
            hidden=hidden,
            attention_heads=attention_heads,
            text=text,
            inner_dropout=inner_dropout,
        )

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take the findings' names as queries, if the decoder asks by text; the labels are not used."""
        self.decoder.see_labels(names, labels)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w) of one film each; no auxiliary loss."""
        present = torch.ones(len(maps), 1, dtype=torch.bool, device=maps.device)
        return self.read_studies(maps[:, None], present, ~present)

    def read_studies(self, maps: Tensor, present: Tensor, lateral: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, v, c, h, w) of studies of up to v films, at least one.

        `present` (n, v) marks the films that exist, `lateral` (n, v) those that are lateral.
        """
        studies, films, _, height, width = maps.shape
        places = self.embed(maps.permute(0, 1, 3, 4, 2))  # (n, v, h, w, d)
        code = position_code(height, width, places.shape[-1]).to(places)
        places = places + code + self.views[lateral.long()][:, :, None, None]
        places = places.reshape(studies, films * height * width, -1)
        seen = present.repeat_interleave(height * width, 1)
        for layer in self.layers:
            places = layer(places, seen)
        return self.decoder.decode(places, seen)

    def last_weights(self) -> Sequence[Tensor]:
        """Return the decoder's groups."""
        return self.decoder.last_weights()

    def last_biases(self) -> Tensor:
        """Return the biases (k,)."""
        return self.decoder.last_biases()


def position_code(height: int, width: int, size: int) -> Tensor:
    """Return the sine code (height, width, size) of places: half of it for the row, half for the column.

    sin and cos of the number over 10,000^(2 i / (size / 2)) (Vaswani et al., section 3.5), for rows and columns alike.
    """
    quarter = size // 4
    rates = torch.exp(torch.arange(quarter) * (-math.log(10_000) / quarter))

    def along(count: int) -> Tensor:
        angles = torch.arange(count)[:, None] * rates
        return torch.cat([angles.sin(), angles.cos()], 1)

    rows, columns = along(height)[:, None].expand(-1, width, -1), along(width)[None].expand(height, -1, -1)
    return torch.cat([rows, columns], 2)


class _EncoderLayer(nn.Module):
    """Self-attention and a feed-forward layer; after each, a layer norm of the sum."""

    def __init__(self, width: int, hidden: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.among, self.forward_layer = Attention(width, heads, dropout), FeedForward(width, hidden, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, rows: Tensor, seen: Tensor) -> Tensor:
        """Return rows (n, p, d) after attending to the rows that `seen` (n, p) marks."""
        rows = self.norms[0](rows + self._drop(self.among(rows, rows, seen)))
        done: Tensor = self.norms[1](rows + self._drop(self.forward_layer(rows)))
        return done

    def _drop(self, rows: Tensor) -> Tensor:
        return functional.dropout(rows, self.dropout, self.training)
