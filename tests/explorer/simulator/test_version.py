"""A simulator whose films look otherwise has another version, else films kept by an older one would be shown.

look.csv holds the version that drew the reference films and what they came to. Where this test fails because films look
otherwise: raise VERSION of explorer/simulator/version.py, then run `python -m tests.explorer.simulator.test_version`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from explorer.simulator import ABNORMAL, render
from explorer.simulator.version import FIRST_DRAWING, POSTURE_DRAWING, VERSION, version_mtime

LOOK = Path(__file__).parent / "look.csv"
BLOCKS = 8  # a side
LEVELS = 65535
NEAR = 8  # levels by which another processor's rounding may move the mean of a block: a ten-thousandth of the range
SIZES = {"small": 64, "full": 512, "posture": 64}
LYING, SITTING = 300_041, 300_046  # of center B

Look = dict[tuple[str, ...], list[int]]


def orders() -> Iterator[tuple[str, str, int]]:
    """Finding, center and seed: each finding on a film of its own, the centers in turn."""
    yield from ((finding, "AB"[seed % 2], seed) for seed, finding in enumerate(ABNORMAL))


def looks() -> Look:
    """The mean level of each block and the size of the mask: small films of all findings, two of full size, and two of
    the second way of drawing.
    """
    small = {("small", *map(str, order)): order for order in orders()}
    full = {("full", *map(str, order)): order for order in list(orders())[:2]}
    by_posture = [("Pneumoperitoneum", "B", LYING), ("Hydropneumothorax", "B", SITTING)]
    posture = {("posture", *map(str, order)): order for order in by_posture}
    orders_by_name = {**small, **full, **posture}
    return {
        name: look(order, SIZES[name[0]], POSTURE_DRAWING if name in posture else FIRST_DRAWING)
        for name, order in orders_by_name.items()
    }


def look(order: tuple[str, str, int], size: int, drawing: int) -> list[int]:
    finding, center, seed = order
    pixels, masks = render(seed, [finding], center, size, drawing)
    blocks = pixels.reshape(BLOCKS, size // BLOCKS, BLOCKS, size // BLOCKS).mean(axis=(1, 3))
    return [*np.rint(blocks * LEVELS).astype(int).ravel().tolist(), int(masks[finding].sum())]


def recorded() -> tuple[int, Look]:
    with LOOK.open(encoding="utf-8", newline="") as file:
        (_, version), *rows = csv.reader(file)
    return int(version), {tuple(row[:4]): [int(each) for each in row[4:]] for row in rows}


def alike(one: Look, other: Look) -> bool:
    return one.keys() == other.keys() and all(np.abs(np.subtract(one[name], other[name])).max() <= NEAR for name in one)


@pytest.mark.slow
def test_films_that_look_otherwise_have_another_version() -> None:
    version, before = recorded()
    now = looks()
    if version == VERSION:
        assert alike(now, before), "films look otherwise: raise VERSION, then record them again (see above)"
    else:
        pytest.fail("another version: record its films (see above)")


def test_a_film_that_is_a_little_brighter_in_one_place_is_another_film() -> None:
    _, before = recorded()
    name = next(iter(before))
    assert alike(before, before)
    assert not alike(before, before | {name: [before[name][0] + NEAR + 1, *before[name][1:]]})


def test_the_stamp_of_a_file_is_the_version() -> None:
    assert version_mtime() > 10**18  # nanoseconds since 1970
    assert version_mtime() % 10**9 == 0  # file systems that count in seconds keep it


def record() -> None:
    """Write look.csv; refuses films that look otherwise under the version that is recorded."""
    now = looks()
    if LOOK.exists():
        version, before = recorded()
        if version == VERSION and not alike(now, before):
            raise SystemExit(f"These films look otherwise than those of version {version}: raise VERSION first.")
    with LOOK.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["version", VERSION], *([*name, *levels] for name, levels in now.items())]
        )


if __name__ == "__main__":
    record()
