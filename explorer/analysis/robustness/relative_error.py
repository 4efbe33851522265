"""The relative balanced error of MedMNIST-C: how much a model's errors rise on perturbed films, beside AlexNet's.

The 2026 overview of CXR-LT, whose Figure 4 compares original and perturbed films, defines no such measure. Di Salvo et
al. (arXiv 2406.17536) do: the balanced error, 1 less the mean of sensitivity and specificity, is averaged over
findings. Its rise from the unchanged films, averaged over the five severities of a kind, is divided by AlexNet's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from explorer.analysis.robustness.report import LevelResult, Robustness
from explorer.core.figures import Estimate

# AlexNet's balanced error on the chest films of MedMNIST-C, unchanged and as the mean over five severities, from the
# baselines of the package medmnistc (github.com/francescodisalvo05/medmnistc-api), rounded.
ALEXNET_UNCHANGED = 0.28391
ALEXNET: Mapping[str, float] = MappingProxyType(
    {
        "pixelation": 0.44895,
        "jpeg": 0.34576,
        "gaussian-noise": 0.47688,
        "speckle-noise": 0.45688,
        "impulse-noise": 0.48554,
        "shot-noise": 0.49270,
        "detector-blur": 0.31768,
        "brightness-up": 0.29937,
        "brightness-down": 0.29712,
        "contrast-up": 0.28751,
        "contrast-down": 0.29547,
        "gamma-up": 0.28746,
        "gamma-down": 0.28916,
    }
)
SEVERITIES = 5


def relative_error(found: Robustness, kind: str, results: Sequence[LevelResult]) -> Estimate | None:
    """Return the relative balanced error of a kind; None unless all five severities of MedMNIST-C were scored.

    Below 1, errors rise less than AlexNet's did; the films differ, so this does not rank the two.
    """
    if kind not in ALEXNET or len(results) != SEVERITIES or results[0].level.scale != "medmnist-c":
        return None
    rise, alexnet = found.kind_change(results, "balanced error"), ALEXNET[kind] - ALEXNET_UNCHANGED
    return Estimate(rise.value / alexnet, rise.low / alexnet, rise.high / alexnet)
