"""The shipped network outlines simulated films as the simulator draws them, and what is no chest as nothing."""

import numpy as np
import pytest

from explorer.simulator import Request, render
from explorer.simulator.anatomy_masks import anatomy_masks
from models.anatomy import anatomy, outliner
from models.anatomy.cardiothoracic import cardiothoracic_ratio
from models.cards.card import UnusableModel
from models.radiograph import Radiograph
from tests.benchmarks.anatomy import dice


@pytest.mark.parametrize(
    "findings", [[], [Request("Cardiomegaly", "", 0.7)], [Request("Pleural Effusion", "left", 0.5)]]
)
def test_a_simulated_film_is_outlined(findings: list[Request]) -> None:
    pixels, _ = render(3, findings, "B", 512, 2)
    true, found = anatomy_masks(3, findings, "B", 512, 2), anatomy(Radiograph.from_pixels(pixels))
    assert found.wrong == "" and found.shape == (512, 512)
    assert min(dice(found[name], true[name]) for name in ("right lung", "left lung", "heart")) > 0.9
    assert cardiothoracic_ratio(found).value == pytest.approx(cardiothoracic_ratio(true).value, abs=0.04)


def test_masks_have_the_shape_of_the_film_on_a_smaller_grid() -> None:
    pixels, _ = render(3, [], "A", 600, 2)
    assert anatomy(Radiograph.from_pixels(pixels[:, 60:540])).shape == (512, 410)


@pytest.mark.parametrize("gray", [0.0, 0.5])
def test_an_empty_film_has_no_plausible_outline(gray: float) -> None:
    assert anatomy(Radiograph.from_pixels(np.full((300, 200), gray))).wrong


def test_a_mirrored_chest_keeps_the_sides_of_the_picture() -> None:
    """Which side is the patient's right follows from the picture: the gate warns of a mirrored film."""
    pixels, _ = render(3, [], "A", 512, 2)
    found = anatomy(Radiograph.from_pixels(pixels[:, ::-1].copy()))
    right, left = (np.flatnonzero(found[name].any(0)).mean() for name in ("right lung", "left lung"))
    assert found.wrong or right < left


def test_altered_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outliner, "WEIGHTS_SHA256", "0" * 64)
    outliner.outline_network.cache_clear()
    with pytest.raises(UnusableModel, match="not the file that was shipped"):
        outliner.outline_network()
    monkeypatch.undo()
    outliner.outline_network.cache_clear()
