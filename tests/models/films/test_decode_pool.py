"""A film read in another process is the same film; what it does to its decoder happens there, and in its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pydicom
import pytest
from pydicom import uid

from models.films import decode_pool
from models.films.decode_pool import MAX_OVERTIME, FilmProcesses
from models.films.decode_process import MEMORY_LIMIT, allowed_seconds
from models.radiograph import UnreadableRadiograph, read_radiograph, read_radiograph_apart
from tests.support.film_files import (
    PACKAGED,
    compressed_dicom,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    synthetic_film,
)
from tests.support.wording import Wording

pytestmark = pytest.mark.slow

FILM = synthetic_film()


@pytest.mark.parametrize("kind", ["DICOM", "JPEG 2000", "PNG"])
def test_a_film_is_the_same_in_another_process(kind: str) -> None:
    deep = dicom_dataset(
        FILM.astype(np.uint16) * 257, PixelSpacing=[0.14, 0.1401], ViewPosition="AP", StudyInstanceUID="1.2.3.99"
    )
    data = {
        "DICOM": lambda: dicom_bytes(deep),
        "JPEG 2000": lambda: compressed_dicom(deep, uid.JPEG2000Lossless),
        "PNG": lambda: image_bytes(FILM, "PNG"),
    }[kind]()
    here, apart = read_radiograph(data), read_radiograph_apart(data)
    assert here.pixels.tobytes() == apart.pixels.tobytes()
    for name in here.__dataclass_fields__:
        if name != "pixels":
            assert getattr(apart, name) == getattr(here, name), name
    assert not apart.pixels.flags.writeable


def test_jpeg_lossless_decodes_as_pydicom_does() -> None:
    dataset = pydicom.dcmread(PACKAGED / "JPEG-LL.dcm")
    stored = dataset.pixel_array.reshape(1024, 256).view(np.uint16)
    plain = dicom_bytes(dicom_dataset(stored, PixelRepresentation=dataset.PixelRepresentation))
    frame = pydicom.encaps.get_frame(dataset.PixelData, 0, number_of_frames=1)
    packed = dicom_dataset(stored, PixelRepresentation=dataset.PixelRepresentation)
    unpacked = read_radiograph(encapsulated_dicom(packed, uid.JPEGLosslessSV1, frame))
    np.testing.assert_array_equal(unpacked.pixels, read_radiograph(plain).pixels)


def test_a_crash_of_the_decoder_is_an_exception_here() -> None:
    # A lossless film may not hold a baseline stream; GDCM throws where nothing catches, or refuses.
    frame = image_bytes(FILM, "JPEG")
    broken = frame.replace(b"\xff\xda\x00\x08\x01", b"\xff\xda\x00\x08\x07")
    with pytest.raises(UnreadableRadiograph, match="cannot be decoded"):
        read_radiograph(encapsulated_dicom(dicom_dataset(FILM), uid.JPEGLosslessSV1, broken))
    assert read_radiograph(compressed_dicom(dicom_dataset(FILM), uid.JPEG2000Lossless)).pixels.shape == FILM.shape


# A decoder as bad as one can be, in the place of the real one: what real damage does depends on their versions. A film
# is here the code that decodes it.
BAD_DECODER = """
import pathlib
import time
import models.films.any_format as film_file
from models.films.film import Radiograph, Undecoded

def compute(seconds):
    while time.process_time() < seconds:
        pass

def until(path):
    while not pathlib.Path(path).exists():
        time.sleep(0.01)

def undecoded(code):
    def decode():
        exec(code.decode())
        return Radiograph.from_pixels([[0.0, 1.0]])
    return Undecoded((5_000, 5_000), decode)

film_file.open_film = undecoded
"""


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FilmProcesses]:
    (tmp_path / "sitecustomize.py").write_text(BAD_DECODER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    made = FilmProcesses(turns=1, seconds=0.5)
    made.start()
    yield made
    made.close()


def waiting_for(path: Path) -> bytes:
    """A film that is decoded once there is such a file: it takes as long as the test likes, and computes nothing."""
    return f"until({str(path)!r})".encode()


def test_a_slow_film_holds_no_other_for_more_than_its_turn(processes: FilmProcesses, tmp_path: Path) -> None:
    processes.read(b"")  # started
    ended, slow = [], waiting_for(tmp_path / "enough")
    thread = threading.Thread(target=lambda: ended.append(processes.read(slow).pixels.shape))
    thread.start()
    time.sleep(0.1)
    assert processes.read(b"").pixels.shape == (1, 2)  # after its turn of half a second, and in another process
    assert thread.is_alive()
    (tmp_path / "enough").touch()
    thread.join()
    assert ended == [(1, 2)]


def test_of_too_many_slow_films_the_longest_makes_room(
    processes: FilmProcesses, tmp_path: Path, wording: Wording
) -> None:
    said: list[str] = []
    slow = waiting_for(tmp_path / "enough")

    def read(place: int) -> None:
        time.sleep(place / 10)
        try:
            processes.read(slow)
            said.append(f"film {place}")
        except UnreadableRadiograph as refusal:
            said.append(f"{place}: {refusal.title}")
            (tmp_path / "enough").touch()  # the others may end

    threads = [threading.Thread(target=read, args=(place,)) for place in range(MAX_OVERTIME + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    longest, *others = sorted(said)
    assert others == ["film 1", "film 2", "film 3"]
    wording(longest, "0: ", "long")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (b"compute(1000)", "takes too long"),
        (b"import os; os.abort()", "cannot be decoded"),
        (b"import numpy; numpy.ones(1 << 28)", "more than 1 GB"),
        (b"import os; os.write(1, b'any'); os.abort()", "cannot be decoded"),
    ],
)
def test_a_decoder_that_hangs_dies_or_grows_is_ended(processes: FilmProcesses, code: bytes, words: str) -> None:
    with pytest.raises(UnreadableRadiograph, match=words):
        processes.read(code)
    assert processes.read(b"").pixels.shape == (1, 2)


def test_what_a_decoder_prints_is_no_answer(processes: FilmProcesses) -> None:
    assert processes.read(b"import os; os.write(1, b'any'); print('more')").pixels.shape == (1, 2)


def test_a_users_own_films_wait_for_one_another_instead_of_being_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode_pool, "TURN_SECONDS", 0.05)  # which visitors' films would have, and these take longer
    noise = np.random.default_rng(0).integers(0, 4096, (1000, 1000), dtype=np.uint16)
    film = compressed_dicom(dicom_dataset(noise, BitsStored=12, HighBit=11), uid.JPEG2000Lossless)
    with ThreadPoolExecutor(MAX_OVERTIME + 5) as pool:
        shapes = {read.pixels.shape for read in pool.map(read_radiograph, [film] * 12)}
    assert shapes == {(1000, 1000)}


def test_the_time_allowed_follows_the_film_not_the_file() -> None:
    assert allowed_seconds(64 * 64, 100 << 20) < 2.01
    assert allowed_seconds(25_000_000, 0) == 2
    assert allowed_seconds(100_000_000, 0) == 8
    assert MEMORY_LIMIT == 1 << 30
