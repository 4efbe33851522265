"""Findings of lung and pleura: tight masks, the signs a radiologist looks for, and that they get on with each other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import zoom

from explorer.simulator import CENTERS, Center, Request, describe, render
from explorer.simulator.anatomy.build import build_chest
from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask, fill_with_water, remove_lung
from explorer.simulator.findings.collapse import pull_hilum
from explorer.simulator.findings.lump import lump
from explorer.simulator.findings.side import lung_view, random_point

SIZE = 160
WHITER = (
    "Pleural Effusion",
    "Pleural Thickening",
    "Nodule",
    "Mass",
    "Calcified Densities",
    "Alveolar Pattern",
    "Atelectasis",
    "Infarction",
)
DARKER = ("Pneumothorax", "Bulla")
ALL = (*WHITER, *DARKER, "Hydropneumothorax")
Change = tuple[NDArray[np.float32], NDArray[np.bool_]]


@cache
def change(name: str, severity: float, seed: int = 6, center: Center = "A", side: str | None = None) -> Change:
    """What the finding adds to its twin, and its mask."""
    pixels, masks = render(seed, [Request(name, side, severity)], center, SIZE)
    return pixels - twin(seed, center), masks[name]


@cache
def twin(seed: int, center: Center) -> NDArray[np.float32]:
    return render(seed, [], center, SIZE)[0]


def chest_of(seed: int, size: int = SIZE) -> Chest:
    patient = describe(seed, "A")
    form = form_of(patient)
    return build_chest(form, Beam.aim(patient, form, size))


@pytest.mark.parametrize("center", CENTERS)
@pytest.mark.parametrize("name", ALL)
def test_most_of_a_mask_is_visibly_changed(name: str, center: Center) -> None:
    for severity in (0.0, 0.5, 1.0):
        difference, mask = change(name, severity, center=center)
        assert (np.abs(difference[mask]) > 0.01).mean() > 0.4, severity


@pytest.mark.parametrize("name", WHITER)
def test_what_fills_the_lung_is_white(name: str) -> None:
    difference, mask = change(name, 1.0)
    assert difference[mask].mean() > 0.03


@pytest.mark.parametrize("name", DARKER)
def test_gas_is_dark(name: str) -> None:
    difference, mask = change(name, 0.5)
    assert difference[mask].mean() < -0.02


@pytest.mark.parametrize("name", ["Pleural Effusion", "Pneumothorax", "Mass", "Infarction", "Hydropneumothorax"])
def test_a_larger_film_shows_the_same_disease(name: str) -> None:
    small = render(6, [Request(name, severity=0.8)], "A", 128)[1][name]
    large = render(6, [Request(name, severity=0.8)], "A", 384)[1][name]
    shrunk = zoom(large.astype(np.float32), 1 / 3, order=1, grid_mode=True, mode="nearest") > 0.5
    assert (shrunk & small).sum() > 0.75 * (shrunk | small).sum()


def test_a_small_effusion_lies_in_the_angle_and_a_large_one_hides_the_diaphragm() -> None:
    small, large = (change("Pleural Effusion", severity, side="left")[1] for severity in (0.0, 1.0))
    rows, columns = np.nonzero(small)
    assert rows.min() > 0.5 * SIZE and columns.mean() > 0.7 * SIZE
    assert large.sum() > 10 * small.sum() and large[rows, columns].mean() > 0.8
    chest = chest_of(6)
    side = lung_view(chest, "left")
    column = int(np.argmin(np.abs(side.out[0] - 0.75 * side.edge(side.angle))))
    dome = int(np.argmin(np.abs(side.y[:, 0] - side.floor[0, column])))
    near = np.s_[dome - 6 : dome + 7, column]
    filled = twin(6, "A") + change("Pleural Effusion", 1.0, side="left")[0]
    assert np.ptp(filled[near]) < 0.4 * np.ptp(twin(6, "A")[near])


def test_upright_gas_lies_over_the_apex() -> None:
    rows = np.nonzero(change("Pneumothorax", 0.1)[1])[0]
    assert describe(6, "A").view == "PA" and rows.mean() < 0.4 * SIZE


def test_fluid_under_gas_has_a_level() -> None:
    difference, mask = change("Hydropneumothorax", 0.7, side="left")
    first = np.where(mask & (difference > 0.12), np.arange(SIZE)[:, None], SIZE).min(0)
    lateral = first[first < SIZE][-12:-2]
    assert len(lateral) == 10 and np.ptp(lateral) <= 2


LYING = 812  # at center B


def test_lying_fluid_is_a_veil_that_grows_downward_and_hides_the_dome_but_not_the_vessels() -> None:
    assert describe(LYING, "B").view == "AP"
    difference, mask = change("Pleural Effusion", 1.0, LYING, "B", "right")
    patient = describe(LYING, "B")
    form = form_of(patient)
    side = lung_view(build_chest(form, Beam.aim(patient, form, SIZE)), "right")
    high, low = (int(np.abs(side.y[:, 0] - side.height(share)).argmin()) for share in (0.35, 0.75))
    column = int(np.abs(side.out[0] - 0.7 * side.edge(side.height(0.5))).argmin())
    rows = difference[:, column - 4 : column + 5].mean(1)
    assert 0.02 < rows[high - 3 : high + 4].mean() < 0.7 * rows[low - 3 : low + 4].mean()
    assert np.abs(np.diff(rows[high:low])).max() < 0.05  # neither level nor meniscus
    assert mask[high, column] and mask[low, column]
    dome = int(np.abs(side.y[:, 0] - side.floor[0, column]).argmin())
    before, near = twin(LYING, "B"), np.s_[dome - 6 : dome + 7, column - 2 : column + 3]
    assert np.ptp((before + difference)[near].mean(1)) < 0.5 * np.ptp(before[near].mean(1))
    inner = np.s_[high - 12 : high + 13, column - 12 : column + 13]
    assert np.corrcoef((before + difference)[inner].ravel(), before[inner].ravel())[0, 1] > 0.6


@pytest.mark.parametrize("severity", [0.3, 0.7, 1.0])
def test_lying_fluid_under_gas_has_no_level(severity: float) -> None:
    difference, mask = change("Hydropneumothorax", severity, LYING, "B", "left")
    rows = [np.flatnonzero(each) for each in mask.T]
    steps = [
        np.abs(np.diff(difference[each[0] : each[-1], at])).max() for at, each in enumerate(rows) if len(each) > 30
    ]
    assert np.median(steps) < 0.1 and (difference[mask] < -0.01).any() and (difference[mask] > 0.01).any()


def test_a_calcification_is_brighter_than_a_soft_nodule_of_its_size() -> None:
    chest = chest_of(6)
    spot = lump(
        chest.beam,
        random_point(lung_view(chest, "right"), np.random.default_rng(0)),
        (0.3, 0.3),
        np.random.default_rng(1),
    )
    before = chest.attenuation()
    fill_with_water(chest, spot)
    soft = (chest.attenuation() - before).max()
    chest.bone += spot
    assert (chest.attenuation() - before).max() > 2 * soft


@pytest.mark.parametrize("seed", range(3))
def test_all_of_them_fit_into_small_lungs(seed: int) -> None:
    requests = [Request("Hypoexpansion", severity=1.0), *(Request(name, severity=1.0) for name in ALL)]
    pixels, masks = render(seed, requests, "B", 128)
    assert np.isfinite(pixels).all() and all(mask.any() for mask in masks.values())


def test_no_more_lung_is_taken_than_there_is() -> None:
    chest = chest_of(3)
    inside = chest.lung.copy()
    fill_with_water(chest, np.full_like(chest.lung, 50))
    assert chest.lung.min() >= 0 and chest.lung.max() < 1e-3 and chest.soft.max() <= inside.max() + 60
    remove_lung(chest, np.full_like(chest.lung, 2))
    assert chest.lung.min() >= 0 and chest.vessels.min() >= 0


def test_a_mask_is_never_empty_and_a_lump_beside_the_film_is_nothing() -> None:
    chest = chest_of(3)
    assert changed_mask(chest, chest.attenuation()).any()
    assert not lump(chest.beam, (90.0, 10.0, 0.0), (2.0, 2.0), np.random.default_rng(0)).any()


def test_a_lump_holds_its_volume_at_every_size() -> None:
    volumes = []
    for size in (96, 384):
        beam = chest_of(3, size).beam
        path = lump(beam, (-5.0, 10.0, 0.0), (1.0, 1.0), np.random.default_rng(0), rough=0.0)
        volumes.append(path.sum() * beam.pixel**2)
    assert np.allclose(volumes, 4 / 3 * np.pi, rtol=0.05)


@pytest.mark.parametrize("towards", [-1, 1])
def test_a_lost_lobe_pulls_the_hilum_along(towards: int) -> None:
    chest = chest_of(6)
    side = lung_view(chest, "left")
    near = np.hypot(side.out - side.hilum[0], side.y - side.hilum[1]) < 3.0

    def middle() -> float:
        return float((chest.vessels * near * side.y).sum() / (chest.vessels * near).sum())

    before = middle()
    pull_hilum(side, ((side.y - side.hilum[1]) * towards > 0).astype(np.float32), 1.0)
    assert towards * (middle() - before) > 0.1 and chest.vessels.min() >= 0
