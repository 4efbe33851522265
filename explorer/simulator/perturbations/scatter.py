"""Adds scatter, as without a grid or with a larger field."""

from __future__ import annotations

from explorer.simulator.perturbations.kind import Exposure, physical, with_detector


def add_scatter(exposure: Exposure, dial: float) -> Exposure:
    """Multiply the ratio of scattered to primary quanta by `dial`."""
    return with_detector(exposure, scatter=exposure.equipment.detector.scatter * dial)


SCATTER = physical(
    "scatter",
    "More scatter",
    "ratio of scattered to primary quanta: Bushberg et al., The Essential Physics of Medical Imaging, 3rd edition, "
    "section 7.11",
    add_scatter,
    "factor of the scatter",
    (1.25, 1.5, 2.0, 2.5, 3.0),
)
