"""Widens the kernel that blurs the film: a larger focal spot, or a coarser detector."""

from __future__ import annotations

from explorer.simulator.perturbations.kind import Exposure, physical, with_detector


def widen(exposure: Exposure, dial: float) -> Exposure:
    """Blur the signal, before noise, with a Gaussian of `dial` cm, or of its own width if that is larger."""
    return with_detector(exposure, blur=max(dial, exposure.equipment.detector.blur))


KERNEL = physical(
    "kernel",
    "Wider kernel",
    "point spread of focal spot and detector: Bushberg et al., The Essential Physics of Medical Imaging, 3rd edition, "
    "section 4.2",
    widen,
    "standard deviation in cm at the detector",
    (0.04, 0.07, 0.1, 0.15, 0.2),
)
