"""PatientOrientation: the patient's right is shown on the left, the head above, and whatever is changed is told."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.reading.samples import sample_bytes
from models.radiograph import Radiograph, read_radiograph
from tests.support.film_files import dicom_bytes, dicom_dataset, image_bytes, synthetic_film
from tests.support.wording import Wording

USUAL = (
    synthetic_film().astype(np.uint16) * 257
)  # (96, 80), with a block in the upper left: heart and stomach elsewhere
# The same film as a device would store it, under the values it would write.
STORED: dict[tuple[str, str], NDArray[np.uint16]] = {
    ("L", "F"): USUAL,
    ("R", "F"): np.fliplr(USUAL),
    ("L", "H"): np.flipud(USUAL),
    ("R", "H"): np.rot90(USUAL, 2),
    ("F", "L"): USUAL.T,
    ("F", "R"): np.rot90(USUAL, 1),
    ("H", "L"): np.rot90(USUAL, -1),
    ("H", "R"): np.rot90(USUAL, 2).T,
}
NOTES = {
    ("R", "F"): "mirrored: ",
    ("L", "H"): "mirrored and turned upright: ",
    ("R", "H"): "turned upright: ",
    ("F", "L"): "mirrored and turned upright: ",
    ("F", "R"): "turned upright: ",
    ("H", "L"): "turned upright: ",
    ("H", "R"): "mirrored and turned upright: ",
}


def read(stored: NDArray[np.uint16], **attributes: object) -> Radiograph:
    return read_radiograph(dicom_bytes(dicom_dataset(np.ascontiguousarray(stored), **attributes)))


def file_with(raw: bytes) -> bytes:
    """A film whose orientation is these six bytes, which pydicom would not write."""
    data = dicom_bytes(dicom_dataset(USUAL, PatientOrientation="QWERTZ"))
    assert data.count(b"QWERTZ") == 1
    return data.replace(b"QWERTZ", raw)


def toward(film: Radiograph) -> list[str]:
    return [note for note in film.notes if "run toward" in note]


@pytest.mark.parametrize("values", STORED, ids="".join)
def test_every_way_of_storing_is_shown_the_usual_way(values: tuple[str, str]) -> None:
    film = read(STORED[values], PatientOrientation=list(values), ImagerPixelSpacing=[0.1, 0.1005])
    expected = read(USUAL)
    np.testing.assert_array_equal(film.pixels, expected.pixels)
    assert (film.sides, expected.sides) == ("stated", "assumed")
    assert film.original_size == STORED[values].shape
    assert film.spacing_mm == ((0.1005, 0.1) if values[0] in "FH" else (0.1, 0.1005))
    notes = toward(film)
    assert [note.startswith(NOTES[values]) for note in notes] == ([True] if values in NOTES else [])
    assert not film.pixels.flags.writeable


def test_the_note_says_what_the_file_says(wording: Wording) -> None:
    (note,) = toward(read(USUAL, PatientOrientation=["R", "F"]))
    wording(note, "mirrored", "right", "feet")


@pytest.mark.parametrize("values", [["LA", "F"], ["L", "FP"], ["LF", "FL"], ["LPF", "FPR"]], ids="".join)
def test_an_oblique_film_goes_by_its_first_letters(values: list[str]) -> None:
    film = read(USUAL, PatientOrientation=values)
    assert (film.sides, toward(film)) == ("stated", [])


ODD = {
    "nothing": None,
    "one value": ["R"],
    "three values": ["R", "F", "A"],
    "empty values": ["", ""],
    "lateral": ["A", "F"],
    "lateral, backward": ["P", "H"],
    "twice across": ["R", "L"],
    "twice along": ["F", "H"],
    "the same": ["R", "R"],
    "both at once": ["RL", "F"],
    "feet and head at once": ["R", "FH"],
    "no direction": ["X", "F"],
    "for animals": ["RT", "CD"],
    "too long": ["RFAP", "F"],
    "lower case": ["r", "f"],
}


@pytest.mark.filterwarnings("ignore:Invalid value for VR CS")
@pytest.mark.parametrize("values", ODD.values(), ids=ODD.keys())
def test_values_that_say_nothing_change_nothing(values: list[str] | None) -> None:
    film = read(USUAL, PatientOrientation=values)
    np.testing.assert_array_equal(film.pixels, read(USUAL).pixels)
    assert (film.sides, toward(film)) == ("assumed", [])


@pytest.mark.parametrize("junk", [b"R\\\xff\xfe\xff\xff", b"\\\\\\\\\\\\", b"\0" * 6, b"\xff" * 6, b"R\\F\\R\\"])
def test_damaged_values_change_nothing(junk: bytes) -> None:
    film = read_radiograph(file_with(junk))
    assert (film.sides, toward(film)) == ("assumed", [])
    np.testing.assert_array_equal(film.pixels, read(USUAL).pixels)


def test_values_padded_with_nulls_are_read() -> None:
    assert read_radiograph(file_with(b"R\0\\F\0\0")).sides == "stated"


@pytest.mark.parametrize("view", [{"ViewPosition": "LL"}, {"ViewPosition": "LATERAL"}])
def test_a_lateral_film_is_left_as_it_is(view: dict[str, str]) -> None:
    film = read(USUAL, PatientOrientation=["R", "F"], **view)
    assert (film.view, film.sides, toward(film)) == ("lateral", "assumed", [])
    np.testing.assert_array_equal(film.pixels, read(USUAL).pixels)


def test_color_and_raster_films() -> None:
    color = np.stack([synthetic_film()] * 3, axis=-1)
    film, plain = read(color, PatientOrientation=["R", "F"]), read(color)
    np.testing.assert_array_equal(film.pixels, np.fliplr(plain.pixels))
    assert read_radiograph(image_bytes(synthetic_film(), "PNG")).sides == "assumed"


def test_real_films_say_their_sides() -> None:
    chest, leg = (read_radiograph(sample_bytes(key)) for key in ("masses", "leg"))
    assert (chest.sides, toward(chest)) == ("stated", [])  # L\\F
    assert leg.sides == "stated"  # R\\F
    assert toward(leg)[0].startswith("mirrored: ")
