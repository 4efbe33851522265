"""Samples are decoded and read once for all visitors; what a visitor brings is not."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from explorer.reading.reader import Reading
from explorer.reading.sample_films import SampleFilms
from explorer.reading.samples import NoSample, sample_bytes
from tests.explorer.reading.test_reader import FiveFindings, reader

ADDRESS = "phantom://v1/A/5"


def test_a_sample_that_twelve_visitors_open_at_once_is_decoded_and_read_once() -> None:
    fetched: list[str] = []
    read: list[int] = []

    def slow_bytes(key: str) -> bytes:
        fetched.append(key)
        time.sleep(0.05)
        return sample_bytes(key)

    samples = SampleFilms(slow_bytes)
    five = reader(FiveFindings)

    def slow_reading() -> Reading:
        read.append(threading.get_ident())
        time.sleep(0.05)
        return five.read(samples.film("masses").unpacked().radiograph)

    def visit(_: int) -> Reading:
        assert samples.film("masses").unpacked().radiograph.pixels.size
        return samples.reading("masses", slow_reading)

    with ThreadPoolExecutor(12) as pool:
        readings = list(pool.map(visit, range(12)))
    assert (fetched, len(read)) == (["masses"], 1)
    assert all(each is readings[0] for each in readings)


def test_it_is_the_film_that_decoding_gives() -> None:
    samples = SampleFilms()
    first, again = (samples.film("phantom-normal").unpacked().radiograph for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels) and first.simulated


def test_only_samples_are_kept() -> None:
    fetched: list[str] = []

    def counting(key: str) -> bytes:
        fetched.append(key)
        return sample_bytes(key)

    samples = SampleFilms(counting)
    for _ in range(2):
        samples.film(ADDRESS)
    assert fetched == [ADDRESS, ADDRESS]
    five = reader(FiveFindings)
    film = samples.film("phantom-normal").unpacked().radiograph
    assert samples.reading("", lambda: five.read(film)) is not samples.reading("", lambda: five.read(film))
    assert [samples.picture(key, object) is samples.picture(key, object) for key in ("masses", "leg", ADDRESS, "")] == [
        True,
        True,
        False,
        False,
    ]
    assert samples.picture("masses", object) is not samples.picture("leg", object)


def test_a_failure_is_tried_again() -> None:
    tries: list[int] = []

    def missing_once(key: str) -> bytes:
        tries.append(1)
        if len(tries) == 1:
            raise NoSample("It is not there", "Install it.")
        return sample_bytes(key)

    samples = SampleFilms(missing_once)
    with pytest.raises(NoSample, match="not there"):
        samples.film("masses")
    assert samples.film("masses").unpacked().radiograph.pixels.size
