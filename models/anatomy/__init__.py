"""Outlines anatomy on a frontal film: lungs, heart, mediastinum, diaphragm, ribs, trachea. Trained on simulated films.

`anatomy(radiograph)["left lung"]` is a mask (h, w).
"""

from models.anatomy.outlines import Anatomy, anatomy

__all__ = ["Anatomy", "anatomy"]
