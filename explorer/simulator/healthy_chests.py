"""Caches healthy chests for further films of the same patient, because building one takes most of a film's time."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache

from explorer.simulator.anatomy.build import build
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.rough import rough
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from models.array_types import Float32

KEPT = 8  # chests
LARGEST_KEPT = 512  # px: 9 MB each


def chest_of(form: Form, beam: Beam) -> Chest:
    """Return the chest of this form as a copy that the caller may change."""
    if beam.size > LARGEST_KEPT:
        return build(form, beam)
    return deepcopy(_built(form, beam))


_built = lru_cache(maxsize=KEPT)(build)  # never returned directly, because findings change chests in place


@lru_cache(maxsize=KEPT)
def outline_of(form: Form, beam: Beam) -> Float32:
    """Return `rough` of this form, read-only."""
    outline = rough(form, beam)
    outline.setflags(write=False)
    return outline
