"""Chests without a finding, kept for the next film of the same patient: to build one is most of what a film costs."""

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
    """The chest of this form, the caller's own to change."""
    if beam.size > LARGEST_KEPT:
        return build(form, beam)
    return deepcopy(_built(form, beam))


_built = lru_cache(maxsize=KEPT)(build)  # findings change chests in place: none of these is handed out


@lru_cache(maxsize=KEPT)
def outline_of(form: Form, beam: Beam) -> Float32:
    """`rough` of this form, to be read alone."""
    outline = rough(form, beam)
    outline.setflags(write=False)
    return outline
