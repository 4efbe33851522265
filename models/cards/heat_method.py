"""How a model's heat maps are made: method, layers and input size, the same for all of its findings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Cam = Literal[
    "GradCAM",
    "HiResCAM",
    "LayerCAM",
    "GradCAMElementWise",
    "GradCAMPlusPlus",
    "XGradCAM",
    "EigenCAM",
    "EigenGradCAM",
    "Occlusion",
    "AttentionRollout",
    "AttentionRelevance",
    "MaskHead",
]
CAMS: tuple[Cam, ...] = get_args(Cam)
LAST_LAYER = "last"
_WRITTEN = re.compile(
    r"(?P<cam>\w+)@(?P<layers>[\w.]+(?:\+[\w.]+)*)(?::(?P<size>\d{2,4}))?(?P<contrastive>:contrastive)?"
)


@dataclass(frozen=True, slots=True)
class HeatMethod:
    """A way to make heat maps, written like `HiResCAM@blocks.4:224:contrastive`.

    `layers` are the timm modules whose outputs are mapped; none, written `last`, means the last feature map. Several
    layers, written `blocks.2+blocks.4`, give the geometric mean of their maps: fine detail where the coarse map is
    warm. `size` is the side of the square input in pixels; None means the card's size. A contrastive map explains the
    finding's logit minus the mean logit of all findings, which removes evidence common to all. MaskHead is not an
    explanation: it shows where a second head, trained on masks, locates the finding.
    """

    cam: Cam = "GradCAM"
    layers: tuple[str, ...] = ()
    size: int | None = None
    contrastive: bool = False

    @classmethod
    def parse(cls, text: str) -> HeatMethod:
        """Parse `text`. Raises ValueError if it names no method."""
        found = _WRITTEN.fullmatch(text)
        cam = next((cam for cam in CAMS if found and cam == found["cam"]), None)
        if found is None or cam is None:
            raise ValueError(
                f"{text!r} is not a heat map method. Write METHOD@LAYER, METHOD@LAYER:SIZE or "
                f"METHOD@LAYER:SIZE:contrastive; the layer is `{LAST_LAYER}`, a module of the network, or "
                f"several joined by +; the method is one of {', '.join(CAMS)}."
            )
        layers = () if found["layers"] == LAST_LAYER else tuple(found["layers"].split("+"))
        return cls(cam, layers, int(found["size"]) if found["size"] else None, bool(found["contrastive"]))

    def __str__(self) -> str:
        size = f":{self.size}" if self.size else ""
        return f"{self.cam}@{'+'.join(self.layers) or LAST_LAYER}{size}{':contrastive' if self.contrastive else ''}"
