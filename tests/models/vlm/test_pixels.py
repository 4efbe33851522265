"""A film as the model sees it, against open_clip's own transform of the same film in 8 bits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from open_clip.transform import PreprocessCfg, image_transform_v2
from PIL import Image
from torchvision.transforms import functional

from models.cards.vlm_card import VlmCard
from models.classifier.normalizer import Normalizer
from models.radiograph import Radiograph, read_radiograph
from models.vlm.open_model import bare_card
from models.vlm.pixels import box_film
from tests.support.model_builders import random_film

MEAN, STD = (0.48, 0.46, 0.41), (0.27, 0.26, 0.28)
SHAPES = [(600, 450), (310, 520), (224, 224), (100, 61), (97, 613)]


def card(size: int = 224) -> VlmCard:
    return replace(bare_card("local-dir:any"), size=size, mean=MEAN, std=STD)


def in_8_bits(film: Radiograph) -> tuple[Radiograph, Image.Image]:
    """The film rounded to 8 bits, for both sides."""
    grey = np.round(film.pixels * 255).astype(np.uint8)
    return Radiograph.from_pixels(grey.astype(np.float32) / 255), Image.fromarray(grey)


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_inputs_are_open_clips_within_8_bit_rounding(height: int, width: int) -> None:
    film, image = in_8_bits(random_film(height, width))
    settings = PreprocessCfg(size=224, mean=MEAN, std=STD, resize_mode="longest")
    theirs = image_transform_v2(settings, is_train=False)(image)
    ours = Normalizer(card(), "cpu")([box_film(film, card())])[0]
    grey = (ours - theirs) * torch.tensor(STD).view(3, 1, 1) * 255  # in gray levels
    assert grey.abs().max() < 1.1, "Pillow rounds to whole levels once along each axis"
    assert grey.abs().mean() < 0.35


@pytest.mark.shared
def test_a_real_film_too(shared: Path) -> None:
    path = next(iter(sorted((shared / "data").rglob("*.png"))))
    film, image = in_8_bits(read_radiograph(path))
    theirs = image_transform_v2(PreprocessCfg(size=224, mean=MEAN, std=STD, resize_mode="longest"), is_train=False)(
        image
    )
    ours = Normalizer(card(), "cpu")([box_film(film, card())])[0]
    assert ((ours - theirs) * torch.tensor(STD).view(3, 1, 1) * 255).abs().max() < 1.1


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_nothing_of_the_film_is_cropped_and_no_edge_overshoots(height: int, width: int) -> None:
    frame = np.zeros((height, width), dtype=np.float32)
    border = max(3, max(height, width) // 40)
    frame[:border], frame[-border:], frame[:, :border], frame[:, -border:] = 1, 1, 1, 1
    seen = box_film(Radiograph.from_pixels(frame), card())
    rows, columns = (seen > 0.5).any(1).nonzero(), (seen > 0.5).any(0).nonzero()
    longest = max(height, width)
    assert int(rows[-1] - rows[0]) + 1 == pytest.approx(224 * height / longest, abs=1)
    assert int(columns[-1] - columns[0]) + 1 == pytest.approx(224 * width / longest, abs=1)
    assert 0 <= float(seen.min()) <= float(seen.max()) <= 1


def test_chexzeros_films_pass_through_squares_of_320() -> None:
    # Its published steps: longest side to 320, pasted on black, normalized, resized as a tensor to 224.
    film, image = in_8_bits(random_film(610, 500))
    chexzero = replace(card(), resize="longest-320", mean=(0.398,), std=(0.327,))
    small = image.resize((round(500 * 320 / 610), 320), Image.Resampling.BICUBIC)
    square = Image.new("L", (320, 320))
    square.paste(small, ((320 - small.width) // 2, 0))
    levels = torch.from_numpy(np.array(square, dtype=np.float32))[None].expand(3, -1, -1)
    theirs = functional.resize(
        (levels / 255 - 0.398) / 0.327, [224, 224], functional.InterpolationMode.BICUBIC, antialias=False
    )
    ours = Normalizer(chexzero, "cpu")([box_film(film, chexzero)])[0]
    assert ((ours - theirs) * 0.327 * 255).abs().max() < 1.5
