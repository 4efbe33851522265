"""Films are rendered once, kept whole, and rendered again when they would look otherwise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import TEST_SPLIT, sample_cases
from explorer.simulator.film_png import render_film, simulated_png
from explorer.simulator.request import ABNORMAL
from explorer.workshop.lab import phantom_pixels as room
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_shard import MASK_CELLS, MAX_PIXEL, RenderedPixels, RenderingError, Shard
from models.classifier.letterbox import Letterbox
from models.radiograph import read_radiograph

SMALL, FILM = 64, 128  # px of the model's input and of the films


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulator is taken for the same one, two films make a shard."""
    monkeypatch.setattr(room, "simulator_fingerprint", lambda: "same")
    monkeypatch.setattr(room, "FILMS_PER_SHARD", 2)


def chosen() -> list:  # type: ignore[type-arg]
    return [case for case in sample_cases(TEST_SPLIT) if "Mass" in case.findings][:3]


def test_films_are_what_the_app_reads(tmp_path: Path) -> None:
    found = render_pixels(tmp_path, "test", chosen(), SMALL, film_size=FILM)
    assert found.exact.shape == (3, SMALL, SMALL) and found.wide.shape == (3, SMALL * 9 // 8, SMALL * 9 // 8)
    for case, film in zip(chosen(), found.exact, strict=True):
        read = read_radiograph(simulated_png(case.address, FILM)).pixels
        boxed = Letterbox.of(read, SMALL).fit(__import__("torch").tensor(read)).numpy()
        np.testing.assert_allclose(film / MAX_PIXEL, boxed, atol=1 / MAX_PIXEL)
    assert np.abs(found.coarse - found.exact / MAX_PIXEL * 255).max() <= 0.51
    named = {(int(row), ABNORMAL[int(place)]) for row, place, *_ in found.boxes}
    assert {(row, "Mass") for row in range(3)} <= named
    assert ((found.boxes[:, 2:] >= 0) & (found.boxes[:, 2:] <= 1)).all()
    named = found.masked[found.masked[:, 1] == MASS]
    for case, (film, finding), cells in zip(chosen(), named, masses(found), strict=True):
        mask = render_film(case.address, FILM).masks["Mass"]
        assert chosen()[film] == case and finding == MASS
        assert cells.mean() / 255 == pytest.approx(mask.mean(), rel=0.1), "films are square: nothing is cut"
        middle = np.array(np.nonzero(mask)).mean(1) / FILM
        weighed = np.array(np.nonzero(cells)) * cells[np.nonzero(cells)] / cells.sum()
        assert weighed.sum(1) / MASK_CELLS == pytest.approx(middle, abs=0.04)


MASS = ABNORMAL.index("Mass")


def masses(found: RenderedPixels) -> np.ndarray:
    return found.masks[found.masked[:, 1] == MASS]


def test_a_run_that_was_broken_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = render_pixels(tmp_path, "test", chosen(), SMALL, film_size=FILM)
    rendered: list[str] = []
    render = Shard.render
    monkeypatch.setattr(Shard, "render", lambda self: (rendered.append(self.path.name), render(self)))
    (tmp_path / "films" / "test-64px-00002.npz").unlink()
    after = render_pixels(tmp_path, "test", chosen(), SMALL, film_size=FILM)
    assert rendered == ["test-64px-00002.npz"]
    np.testing.assert_array_equal(before.exact, after.exact)
    np.testing.assert_array_equal(before.boxes, after.boxes)
    monkeypatch.setattr(room, "simulator_fingerprint", lambda: "another")
    render_pixels(tmp_path, "test", chosen(), SMALL, film_size=FILM)
    assert len(rendered) == 3


def test_a_film_that_cannot_be_made_is_named_when_the_others_are_there(tmp_path: Path) -> None:
    every = chosen()
    wrong = type(every[0])(every[0].film, "phantom://v1/A/1?Mass=,0.10", every[0].patient, every[0].findings, 1)
    with pytest.raises(RenderingError, match="phantom://v1/A/1"):
        render_pixels(tmp_path, "test", [wrong, *every], SMALL, film_size=FILM)
    assert [path.name for path in (tmp_path / "films").iterdir()] == ["test-64px-00002.npz"]
