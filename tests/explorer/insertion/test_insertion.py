"""Insertion against exact rendering: the same patient, with and without the finding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.insertion.alignment import warped, window_of
from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import FOCAL, INSERTABLE
from explorer.insertion.insertion import Insertion, Lungs, NotInsertable, insert, side_at, simulated_change
from explorer.simulator import Request, render
from explorer.simulator.anatomy_masks import anatomy_masks
from explorer.simulator.version import NEWEST_DRAWING
from models.array_types import Float32

SIZE, PATIENT, OTHER, NEWEST = 256, 5, 9, NEWEST_DRAWING


def healthy(seed: int) -> tuple[Float32, Lungs]:
    masks = anatomy_masks(seed, [], "A", SIZE, NEWEST)
    return render(seed, [], "A", SIZE, NEWEST)[0], Lungs(masks["right lung"], masks["left lung"])


@pytest.mark.parametrize("finding", INSERTABLE)
def test_the_same_patient_rendered_with_the_finding(finding: str) -> None:
    film, lungs = healthy(PATIENT)
    rendered, masks = render(PATIENT, [Request(finding, "right", 0.6)], "A", SIZE, NEWEST)
    inserted = insert(film, lungs, Insertion(finding, "right", 0.6, PATIENT))
    exact, found = (rendered - film).ravel(), (inserted.film - film).ravel()
    assert np.corrcoef(exact, found)[0, 1] > 0.9
    assert found @ exact / (exact @ exact) == pytest.approx(1, abs=0.15)  # as strong
    both = masks[finding] & inserted.mask
    assert 2 * both.sum() / (masks[finding].sum() + inserted.mask.sum()) > 0.7


@pytest.mark.parametrize("finding", INSERTABLE)
def test_another_patients_finding_lies_in_this_lung(finding: str) -> None:
    film, lungs = healthy(PATIENT)
    inserted = insert(film, lungs, Insertion(finding, "left", 0.5, OTHER))
    assert inserted.mask.any()
    columns = np.nonzero(inserted.mask)[1]
    assert columns.mean() > SIZE / 2  # the patient's left
    assert (inserted.mask & lungs.left).sum() > 0.4 * inserted.mask.sum()  # fluid also lies behind dome and heart


@pytest.mark.parametrize("side", ["right", "left"])
def test_fluid_reaches_down_to_the_diaphragm(side: str) -> None:
    film, lungs = healthy(PATIENT)
    inserted = insert(film, lungs, Insertion("Pleural Effusion", side, 0.6, OTHER)).film
    scale, lung = FilmScale.of(film, lungs.both), lungs.on(side)
    rows = np.flatnonzero(lung.any(1))
    base = lung & (np.arange(SIZE) > rows[0] + 0.85 * np.ptp(rows))[:, None]
    before, after = (np.median(scale.densities(each)[base]) for each in (film, inserted))
    assert before < 0.2
    assert after > 0.5  # no aerated lung below the fluid


def test_the_rest_of_the_film_stays() -> None:
    film, lungs = healthy(PATIENT)
    inserted = insert(film, lungs, Insertion("Mass", "right", 0.5, PATIENT))
    assert np.abs(inserted.film - film)[:, SIZE // 2 :].max() < 1e-6


@pytest.mark.parametrize("finding", FOCAL)
def test_at_a_point(finding: str) -> None:
    film, lungs = healthy(PATIENT)
    rows, columns = np.nonzero(lungs.left)
    point = float(np.median(columns)), float(np.median(rows))
    mask = insert(film, lungs, Insertion(finding, "left", 0.7, PATIENT, point)).mask
    found = np.nonzero(mask)
    assert (found[1].mean(), found[0].mean()) == pytest.approx(point, abs=3)


def test_the_side_of_a_point_is_that_of_the_nearest_lung() -> None:
    right, left = np.zeros((40, 60), bool), np.zeros((40, 60), bool)
    right[10:30, 5:20], left[10:30, 35:55] = True, True
    lungs = Lungs(right, left)
    assert [side_at(lungs, (column, 20.0)) for column in (7.0, 26.0, 30.0, 50.0)] == ["right", "right", "left", "left"]
    for outside in ((2.0, 20.0), (58.0, 20.0), (10.0, 5.0), (40.0, 35.0)):
        with pytest.raises(NotInsertable, match="outside the chest"):
            side_at(lungs, outside)


def test_more_severe_is_more_change() -> None:
    film, lungs = healthy(PATIENT)
    changes = [
        float(np.abs(insert(film, lungs, Insertion("Pleural Effusion", "left", severity, OTHER)).film - film).sum())
        for severity in (0.2, 0.5, 0.9)
    ]
    assert changes == sorted(changes) and changes[0] > 0


@pytest.mark.parametrize(
    ("finding", "side", "said"),
    [
        ("Cardiomegaly", "right", "cannot be put into a film. Choose Nodule, Mass"),
        ("Teapot", "right", "Teapot cannot be put into a film"),
        ("Pleural Effusion", "both", "'both' is not a lung's side"),
    ],
)
def test_what_cannot_be_inserted(finding: str, side: str, said: str) -> None:
    film, lungs = healthy(PATIENT)
    with pytest.raises(NotInsertable, match=said):
        insert(film, lungs, Insertion(finding, side, 0.5))


def test_only_the_part_that_changes_is_moved_and_nothing_else_of_it_is_lost() -> None:
    """The window of the change is sampled alone, and a change of the whole film is moved whole."""
    film, lungs = healthy(PATIENT)
    change = simulated_change("Pleural Effusion", "right", 0.9, 1)
    everywhere = replace(change, density=np.full_like(change.density, 0.5))
    moved = warped(everywhere, lungs.right, "right")
    assert (moved.density[lungs.right] == 0.5).all()
    small = warped(change, lungs.right, "right")
    np.testing.assert_array_equal(small.mask, moved.mask)
    np.testing.assert_allclose(small.after[small.mask], moved.after[small.mask])
    assert window_of(np.zeros(film.shape, bool)) == (slice(0, 0), slice(0, 0))
    nothing = replace(change, density=np.zeros_like(change.density), mask=np.zeros_like(change.mask))
    assert not warped(nothing, lungs.right, "right").density.any()
