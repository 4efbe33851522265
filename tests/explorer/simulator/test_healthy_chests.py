"""A film is the same whatever was made before it: no finding changes the chests that are kept."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import ABNORMAL, Request, healthy_chests, render
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.healthy_chests import healthy_chest
from explorer.simulator.patient import describe

SIZE = 64


def film(name: str) -> bytes:
    pixels, masks = render(3, [Request(name, severity=0.8)], "B", SIZE)
    return pixels.tobytes() + masks[name].tobytes()


@pytest.mark.slow
def test_every_finding_comes_out_the_same_on_a_kept_chest_as_on_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [film(name) for name in ABNORMAL]
    monkeypatch.setattr(healthy_chests, "MAX_CACHED_SIZE", SIZE - 1)
    healthy_chests.healthy_outline.cache_clear()
    assert kept == [film(name) for name in ABNORMAL]


def test_a_chest_is_built_once_and_belongs_to_who_asked() -> None:
    patient = describe(4, "A")
    form = form_of(patient)
    healthy_chests._cached_chest.cache_clear()
    first, second = (healthy_chest(form, Beam.aim(patient, form, SIZE)) for _ in range(2))
    assert healthy_chests._cached_chest.cache_info().misses == 1
    first.soft += 1
    first.marks.ribs["left"].clear()
    new = build_chest(form, Beam.aim(patient, form, SIZE))
    for chest in (second, healthy_chest(form, Beam.aim(patient, form, SIZE))):
        np.testing.assert_array_equal(chest.soft, new.soft)
        assert len(chest.marks.ribs["left"]) == len(new.marks.ribs["left"]) > 0
