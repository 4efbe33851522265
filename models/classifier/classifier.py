"""A timm classifier for radiographs: raw scores, features, and every finding's Grad-CAM from one backbone pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor

from models.array_types import Float32
from models.cards.card import Card, UnusableModel
from models.cards.heat_method import HeatMethod
from models.classifier.attention import AttentionNetwork
from models.classifier.backbone import Backbone
from models.classifier.folded_norms import with_folded_norms
from models.classifier.heat_maps import fused_maps
from models.classifier.letterbox import Letterbox
from models.classifier.mask_head import MaskHead, feature_maps
from models.classifier.network import build_network, has_fixed_size, output_conversion
from models.classifier.normalizer import Normalizer
from models.classifier.occlusion import occlusion_maps
from models.out_of_memory import refuse_out_of_memory
from models.radiograph import Radiograph

BATCH_SIZE = 16


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """A classifier's answer for one film and its heat maps."""

    logits: Float32  # (findings,)
    scores: Float32  # (findings,) raw sigmoid
    maps: Float32  # (findings, g, g) Grad-CAM in logit units, 0 or more, over the square model input
    features: Float32  # (d,)
    box: Letterbox

    def on_film(self, longest: int | None = None) -> Float32:
        """Return the maps in film coordinates (findings, h, w), with at most `longest` pixels on the longer side."""
        return self.box.restore(torch.from_numpy(self.maps), longest=longest).numpy()


@dataclass(frozen=True, slots=True, eq=False)
class HeatMaps:
    """Heat maps (k, g, g) of some findings, 0 or more, over the square input in which `box` places the film."""

    maps: Float32
    box: Letterbox

    def on_film(self, longest: int | None = None) -> Float32:
        """Return the maps in film coordinates (k, h, w), with at most `longest` pixels on the longer side."""
        return self.box.restore(torch.from_numpy(self.maps), longest=longest).numpy()


class Classifier:
    """A loaded model. It has no state between calls, so several threads may use it."""

    def __init__(self, card: Card, state: dict[str, Tensor], device: str) -> None:
        """Build `card.architecture` and load `state`; raises UnusableModel if they do not fit."""
        self.card = card
        self.device = device
        self.findings = card.findings
        self._has_fixed_size = has_fixed_size(card.architecture)
        model = build_network(card, state).eval().requires_grad_(False)
        model = model.to(memory_format=torch.channels_last).to(device)
        folded = with_folded_norms(model)
        self.backbone = Backbone(model, stages=True, answer=output_conversion(card))
        self._scoring = self.backbone if folded is model else Backbone(folded)  # the same maps, sooner
        self._bf16 = device == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
        self._normalize = Normalizer(card, device, card.in_chans)

    def score(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Return raw sigmoid scores (n, findings)."""
        with refuse_out_of_memory(self.card.name, self.device), torch.no_grad():
            parts = [torch.sigmoid(self.backbone.head(maps)) for maps in self._feature_maps(radiographs)]
        return _stacked(parts, len(self.findings))

    def features(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Return pooled features (n, d), the input of the last linear layer."""
        with refuse_out_of_memory(self.card.name, self.device), torch.no_grad():
            parts = [self.backbone.pooled(maps) for maps in self._feature_maps(radiographs)]
        return _stacked(parts, self.backbone.width)

    def explain(self, radiograph: Radiograph) -> Explanation:
        """Return scores, features and every finding's Grad-CAM (Selvaraju et al., ICCV 2017) at the last feature map.

        The backbone runs once; only the head is differentiated, once for all findings. Maps are not rescaled: a cell's
        value estimates its share of the finding's logit, and negative evidence is clipped at 0.
        """
        with refuse_out_of_memory(self.card.name, self.device):
            with torch.no_grad():
                maps = self._maps_by(self.backbone, [self.boxed(radiograph)])  # whose heat maps are compared with these
                features = self.backbone.pooled(maps)[0]
            logits, heat = self.backbone.grad_cam(maps, len(self.findings))
        box = Letterbox.of(radiograph.pixels, self.card.size)
        scores = torch.sigmoid(logits).cpu().numpy()
        return Explanation(logits.cpu().numpy(), scores, heat.cpu().numpy(), features.cpu().numpy(), box)

    def heat(self, radiograph: Radiograph, findings: Sequence[str], method: HeatMethod | None = None) -> HeatMaps:
        """Return raw heat maps of findings, by default by the card's method: one forward pass, one backward pass each.

        Raises ValueError for a finding, a layer or a size that the model does not have.
        """
        method = method or self.card.heat_method
        size = method.size or self.card.size
        if size != self.card.size and self._has_fixed_size:
            raise ValueError(f"{self.card.name} takes only films of {self.card.size} px.")
        places = [self._place(finding) for finding in findings]
        inputs = self.inputs([radiograph], size)

        def chosen(logits: Tensor) -> Tensor:
            return logits[:, places] - logits.mean(1, keepdim=True) * method.contrastive

        def wanted(maps: Tensor) -> Tensor:
            return chosen(self.backbone.head(maps))

        with refuse_out_of_memory(self.card.name, self.device):
            if method.cam == "Occlusion":
                heat = occlusion_maps(inputs, lambda films: wanted(self.backbone.maps(films)))
            elif method.cam == "MaskHead":
                heat = self.mask_head(*feature_maps(self.backbone.network, inputs))[0, places].sigmoid()
            elif method.cam == "AttentionRollout":
                heat = self.attention.rollout(inputs).repeat(len(places), 1, 1)
            elif method.cam == "AttentionRelevance":
                heat = self.attention.relevance(inputs, lambda outputs: chosen(self.backbone.answer(outputs)))
            else:
                heat = fused_maps(
                    method.cam, self.backbone.gradients(inputs, lambda maps: wanted(maps)[0], method.layers)
                )
        return HeatMaps(heat.cpu().numpy(), Letterbox.of(radiograph.pixels, size))

    @cached_property
    def attention(self) -> AttentionNetwork:
        """A copy of the network that exposes its attention; made on first use.

        Raises ValueError if the network is not a plain vision transformer.
        """
        network = self.backbone.network
        if not isinstance(network, VisionTransformer):
            raise ValueError(f"{self.card.name} is not a plain vision transformer, so it has no attention to map.")
        return AttentionNetwork(network)

    @cached_property
    def mask_head(self) -> MaskHead:
        """The head that localizes findings; read on first use.

        Raises ValueError if the card names no such file, UnusableModel if the file does not fit.
        """
        if self.card.masks is None:
            raise ValueError(f"{self.card.name} has no mask head: its card names no `masks` file.")
        path = self.card.local_file(self.card.masks)
        try:
            head = MaskHead.read(self.backbone.network, len(self.findings), load_file(path))
        except (SafetensorError, ValueError) as error:
            raise UnusableModel(
                f"{path.name} is not a mask head of {self.card.name}", f"{error}. Restore the file."
            ) from error
        return head.to(self.device)

    def _place(self, finding: str) -> int:
        if finding not in self.findings:
            raise ValueError(f"{self.card.name} does not look for {finding!r}.")
        return self.findings.index(finding)

    def boxed(self, radiograph: Radiograph, size: int | None = None) -> Tensor:
        """Return the film at the model's input size (size, size), in [0, 1], on the CPU: the input of `score_boxed`."""
        return Letterbox.of(radiograph.pixels, size or self.card.size).fit(torch.tensor(radiograph.pixels))

    def score_boxed(self, films: Sequence[Tensor]) -> tuple[Float32, Float32]:
        """Return raw sigmoid scores (n, findings) and pooled features (n, d) of `boxed` films, in one pass."""
        return self._read_boxed(films, torch.sigmoid)

    def logits_boxed(self, films: Sequence[Tensor]) -> tuple[Float32, Float32]:
        """Return raw logits (n, findings) and pooled features (n, d) of `boxed` films, for ensembles."""
        return self._read_boxed(films, lambda logits: logits)

    def _read_boxed(self, films: Sequence[Tensor], answer: Callable[[Tensor], Tensor]) -> tuple[Float32, Float32]:
        with refuse_out_of_memory(self.card.name, self.device), torch.no_grad():
            maps = [self.maps(films[start : start + BATCH_SIZE]) for start in range(0, len(films), BATCH_SIZE)]
            answers = [answer(self.backbone.head(each)) for each in maps]
            features = [self.backbone.pooled(each) for each in maps]
        return _stacked(answers, len(self.findings)), _stacked(features, self.backbone.width)

    def read(self, radiograph: Radiograph) -> tuple[Float32, Float32]:
        """Return raw sigmoid scores (findings,) and pooled features (d,) of one film, in one pass."""
        scores, features = self.score_boxed([self.boxed(radiograph)])
        return scores[0], features[0]

    def inputs(self, radiographs: Sequence[Radiograph], size: int | None = None) -> Tensor:
        """Return model inputs (n, in_chans, size, size) on the model's device: letterboxed and normalized."""
        return self._normalize([self.boxed(film, size) for film in radiographs])

    def _feature_maps(self, radiographs: Sequence[Radiograph]) -> Iterator[Tensor]:
        """Yield the last feature maps in float32, one batch of films at a time."""
        for start in range(0, len(radiographs), BATCH_SIZE):
            yield self.maps([self.boxed(film) for film in radiographs[start : start + BATCH_SIZE]])

    def maps(self, boxed: Sequence[Tensor]) -> Tensor:
        """Return the last feature maps of `boxed` films in float32, in `backbone`'s layout; call without gradients."""
        return self._maps_by(self._scoring, boxed)

    def _maps_by(self, backbone: Backbone, boxed: Sequence[Tensor]) -> Tensor:
        inputs = self._normalize(boxed)
        with torch.autocast(inputs.device.type, torch.bfloat16, enabled=self._bf16):
            maps = backbone.maps(inputs)
        return maps.float()


def _stacked(parts: list[Tensor], width: int) -> Float32:
    return torch.cat(parts).cpu().numpy() if parts else np.empty((0, width), dtype=np.float32)
