"""Makes the packs that ship: `python -m explorer.workshop.shipping.shipped_thumbnails` takes two minutes.

`cache/thumbnails/phantom.zip` has the thumbnails of the cohort `phantom`, `cache/samples.zip` Read's simulated samples.
Another processor draws slightly different ones.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from explorer.cohorts.film_pack import write_pack
from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.packed_thumbnails import pack_thumbnails, simulated_films
from explorer.cohorts.thumbnail_picture import THUMBNAIL_PIXELS, webp_of
from explorer.reading.samples import FILM_NAME, SAMPLE_PACK, THUMBNAIL_NAME, sample_pack_key, simulated_samples
from explorer.simulator.film_png import simulated_png
from models.radiograph import read_radiograph

COHORT_NAME = "phantom"
FILMS_PER_MESSAGE = 20


def main() -> None:
    """Draw all of them and write the packs."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.workshop.shipping.shipped_thumbnails", description=__doc__
    )
    parser.add_argument("--processes", type=int, default=2, help="number of drawing processes")
    options = parser.parse_args()
    pack_samples()
    pack_cohort(Folder(CACHE / COHORT_NAME), options.processes)


def pack_cohort(folder: Folder, processes: int) -> None:
    """Write the thumbnails of a cohort's simulated films: of a shipped cohort, where its thumbnails ship."""
    addresses = simulated_films(folder)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        pictures = pool.map(drawn, addresses.values(), chunksize=FILMS_PER_MESSAGE)
        pack_thumbnails(folder.thumbnail_packs()[0], addresses, pictures)


def pack_samples(target: Path = SAMPLE_PACK) -> None:
    """Write the films and thumbnails of Read's simulated samples."""
    write_pack(target, sample_pack_key(), [file for sample in simulated_samples().items() for file in _files(*sample)])


def _files(key: str, address: str) -> Iterator[tuple[str, bytes]]:
    film = simulated_png(address)
    yield FILM_NAME.format(key), film
    yield THUMBNAIL_NAME.format(key), webp_of(read_radiograph(film).pixels)


def drawn(address: str) -> bytes:
    """Return a simulated film's thumbnail."""
    return webp_of(SimulatedFilm(address).radiograph(THUMBNAIL_PIXELS).pixels)


if __name__ == "__main__":
    main()
