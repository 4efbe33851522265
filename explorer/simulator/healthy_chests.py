"""Caches healthy chests for further films of the same patient, because building one takes most of a film's time."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache

from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.rough import rough_attenuation
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from models.array_types import Float32

CACHED_CHESTS = 8  # chests
MAX_CACHED_SIZE = 512  # px of the largest films with cached chests, 9 MB each


def healthy_chest(form: Form, beam: Beam) -> Chest:
    """Return the chest of this form as a copy that the caller may change."""
    if beam.size > MAX_CACHED_SIZE:
        return build_chest(form, beam)
    return deepcopy(_cached_chest(form, beam))


_cached_chest = lru_cache(maxsize=CACHED_CHESTS)(
    build_chest
)  # never returned directly, because findings change chests in place


@lru_cache(maxsize=CACHED_CHESTS)
def healthy_outline(form: Form, beam: Beam) -> Float32:
    """Return `rough_attenuation` of this form, read-only."""
    outline = rough_attenuation(form, beam)
    outline.setflags(write=False)
    return outline
