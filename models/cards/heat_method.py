"""Which heat map is made of a model: the method, the layer, the input's size. The same for all of its findings."""

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
LAST = "last"
_WRITTEN = re.compile(
    r"(?P<cam>\w+)@(?P<layers>[\w.]+(?:\+[\w.]+)*)(?::(?P<size>\d{2,4}))?(?P<contrastive>:contrastive)?"
)


@dataclass(frozen=True, slots=True)
class HeatMethod:
    """A way to make heat maps, written `HiResCAM@blocks.4:224:contrastive`.

    `layers` are the timm modules whose outputs the map lies over; none, written `last`, is the last feature map. Of
    several, written `blocks.2+blocks.4`, the map is the geometric mean of theirs: the fine one where the coarse one is
    warm. `size` is the side of the square input in pixels, None that of the model's card. Contrastive: of the finding's
    logit less the mean logit of all findings, so that what speaks for every finding alike speaks for none. MaskHead is
    no explanation: it is where a second head, trained on masks, says that the finding lies.
    """

    cam: Cam = "GradCAM"
    layers: tuple[str, ...] = ()
    size: int | None = None
    contrastive: bool = False

    @classmethod
    def parse(cls, text: str) -> HeatMethod:
        """Raises ValueError for a text that names none."""
        found = _WRITTEN.fullmatch(text)
        cam = next((cam for cam in CAMS if found and cam == found["cam"]), None)
        if found is None or cam is None:
            raise ValueError(
                f"{text!r} is not a method for heat maps. Write METHOD@LAYER, METHOD@LAYER:SIZE or "
                f"METHOD@LAYER:SIZE:contrastive; the layer is `{LAST}`, a module of the network, or several joined by "
                f"+; the method is one of {', '.join(CAMS)}."
            )
        layers = () if found["layers"] == LAST else tuple(found["layers"].split("+"))
        return cls(cam, layers, int(found["size"]) if found["size"] else None, bool(found["contrastive"]))

    def __str__(self) -> str:
        size = f":{self.size}" if self.size else ""
        return f"{self.cam}@{'+'.join(self.layers) or LAST}{size}{':contrastive' if self.contrastive else ''}"
