"""A classification branch on cosines: image features are projected to where the texts of their findings are."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.array_types import Float32
from models.training.label_loss import mask_unknown
from models.training.losses.asymmetric import Asymmetric

INITIAL_SCALE = 10.0  # a cosine of 0.3 is then a logit of 3


@dataclass(frozen=True, slots=True, eq=False)
class CosineBranch:
    """A trained branch: logits are `scale` cos(`projection` x, text) + `bias`, for the text of any finding.

    CXR-LT 2026 Task 2 B (section 3.2) adds such a branch to an image-text model: cosine similarities of image and
    disease descriptions are logits supervised by the asymmetric loss. One scale and bias serve all findings, so that
    they hold for unseen ones; that the image network is frozen is Tailscope's.
    """

    projection: Float32  # (t, d)
    scale: float
    bias: float

    def logits(self, features: Float32, texts: Float32) -> Float32:
        """Return logits (n, u) of image features (n, d) for text vectors (u, t)."""
        with torch.inference_mode():
            found: Float32 = _logits(
                torch.from_numpy(features),
                torch.from_numpy(self.projection),
                torch.from_numpy(texts),
                self.scale,
                self.bias,
            ).numpy()
        return found


def train_cosine_branch(
    features: Float32, labels: Float32, texts: Float32, *, steps: int = 300, rate: float = 1e-3, seed: int = 0
) -> CosineBranch:
    """Return a branch trained on image features (n, d) with labels (n, s), NaN where unknown, of texts (s, t).

    All films are one batch of AdamW; the loss is the asymmetric one with its paper's defaults. Raises ValueError if the
    numbers of films or findings differ.
    """
    if len(features) != len(labels) or labels.shape[1] != len(texts):
        raise ValueError(
            f"Features {features.shape}, labels {labels.shape} and texts {texts.shape} do not fit together."
        )
    torch.manual_seed(seed)
    projection = nn.Linear(features.shape[1], texts.shape[1], bias=False)
    scale, bias = nn.Parameter(torch.tensor(INITIAL_SCALE).log()), nn.Parameter(torch.tensor(-3.0))
    images, truth, words = (torch.from_numpy(each) for each in (features, labels, texts))
    optimizer = torch.optim.AdamW([*projection.parameters(), scale, bias], lr=rate, weight_decay=0.01)
    loss = Asymmetric()
    for _ in range(steps):
        given = _logits(images, projection.weight, words, scale.exp(), bias)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss(*mask_unknown(given, truth)).mean())
        optimizer.step()
    trained: Float32 = projection.weight.detach().numpy().copy()
    return CosineBranch(trained, float(scale.detach().exp()), float(bias.detach()))


def _logits(features: Tensor, projection: Tensor, texts: Tensor, scale: Tensor | float, bias: Tensor | float) -> Tensor:
    images = functional.normalize(features @ projection.T, dim=1)
    return scale * images @ functional.normalize(texts, dim=1).T + bias
