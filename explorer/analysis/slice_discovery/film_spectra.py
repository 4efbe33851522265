"""Computes power spectra of a cohort's films, each once, and caches the profiles on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.analysis.slice_discovery.cluster_candidates import FilmPoints, NothingToCluster
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import FilmSource
from explorer.cohorts.kept_file import OptionalCache
from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import write_table
from explorer.core.arrays import Floats
from models.array_types import Bools
from models.radiograph import UnreadableRadiograph

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store

MAX_PROFILE_SIDE_PX = 160  # px of the longer side, as for thumbnails
BANDS = 32  # of equal width, up to half a cycle per pixel
FIRST_FINE_BAND = BANDS // 2  # first band of fine detail: a quarter cycle per pixel, about 4 mm on a chest film
QUARTER = 0.25  # share of films called soft, and of films called sharp
_DARK = 1e-9  # share of power; keeps the logarithm finite on an empty film


PROFILES = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("changed", pa.int64(), nullable=False),  # the film file's change time, in nanoseconds
        pa.field("profile", pa.list_(pa.float64(), BANDS), nullable=False),
    ]
)
_TOGETHER = 200  # films read between two writes of the cache
_READERS = 2
_KEEPING = OptionalCache("Cannot save spectra in %s: %s. They will be computed again.")


def spectrum_profile(pixels: NDArray[np.float32]) -> Floats:
    """Return log10 of each band's share of the power, (BANDS,), for a film (h, w) in [0, 1].

    The film is shrunk, its mean subtracted and a Hann window applied.
    """
    small = _shrunk(pixels)
    faded = (small - small.mean()) * np.outer(np.hanning(small.shape[0]), np.hanning(small.shape[1]))
    power = np.abs(np.fft.fft2(faded)) ** 2
    rows, columns = (np.fft.fftfreq(each) for each in small.shape)
    band = np.floor(np.hypot(rows[:, None], columns[None]) * 2 * BANDS).astype(np.int64)
    inside = band < BANDS  # the corners exceed half a cycle per pixel and do not cover all directions
    total = np.bincount(band[inside], weights=power[inside], minlength=BANDS)
    count = np.bincount(band[inside], minlength=BANDS)
    mean = total / np.maximum(count, 1)
    share = mean / mean.sum() if mean.sum() > 0 else np.full(BANDS, 1 / BANDS)
    profile: Floats = np.round(np.log10(share + _DARK), 4)
    return profile


def detail_traits(profiles: Floats) -> tuple[tuple[Facet, Bools], ...]:
    """Return the facets of soft and of sharp films from profiles (films, BANDS), NaN for films without one.

    Soft films are the quarter with the least power in fine detail, sharp films the quarter with the most.
    """
    fine = (10 ** profiles[:, FIRST_FINE_BAND:]).sum(axis=1)
    there = ~np.isnan(fine)
    if not there.any():
        return ()
    low, high = np.quantile(fine[there], (QUARTER, 1 - QUARTER))
    soft, sharp = np.asarray(there & (fine < low)), np.asarray(there & (fine > high))
    return (
        (Facet("detail", "little", "films with little fine detail (soft)"), soft),
        (Facet("detail", "much", "films with much fine detail (sharp or noisy)"), sharp),
    )


def _shrunk(pixels: NDArray[np.float32]) -> Floats:
    height, width = pixels.shape
    scale = min(1.0, MAX_PROFILE_SIDE_PX / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(np.asarray(pixels, dtype=np.float32)).resize(size, Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64)


def spectra_file(folder: Folder) -> Path:
    """Return the profiles' cache file, which is never part of a shipped cohort."""
    return folder.places()[-1] / "spectra" / "profiles.parquet"


def film_spectra(
    store: Store, images: Images, folder: Folder, report: Callable[[int, int], None] = lambda done, of: None
) -> FilmPoints:
    """Return a point for every readable film; `report` receives the number of films done and the total.

    Raises NothingToCluster if no film can be read, and anything `report` raises.
    """
    cases = list(store.patients(folder.name))
    lines = store.cases(folder.name, cases)
    films = {line.case: images.film(line.root, line.file) for line in lines}
    there = {case: (film, changed) for case, film in films.items() if film and (changed := film.changed()) is not None}
    profiles = _kept(spectra_file(folder), {case: changed for case, (_, changed) in there.items()})
    left = [case for case in there if case not in profiles]
    for start in range(0, len(left), _TOGETHER):
        some = left[start : start + _TOGETHER]
        profiles |= dict(_read([(case, there[case][0]) for case in some], report, len(profiles), len(there)))
        with _KEEPING.into(spectra_file(folder).parent):
            _keep(spectra_file(folder), profiles, {case: changed for case, (_, changed) in there.items()})
    if not profiles:
        raise NothingToCluster(
            f"No film of {folder.name} can be read on this machine",
            "Spectra need the films themselves. Start with --images NAME=DIR, or search by facets.",
        )
    vectors = np.full((len(cases), BANDS), np.nan)
    for place, case in enumerate(cases):
        if case in profiles:
            vectors[place] = profiles[case]
    without = len(cases) - len(profiles)
    source = "power spectra" + (f", {without:,} films cannot be read" if without else "")
    return FilmPoints.of(vectors, source, detail_traits(vectors))


def _read(
    films: Sequence[tuple[str, FilmSource]], report: Callable[[int, int], None], done: int, of: int
) -> Iterator[tuple[str, Floats]]:
    with ThreadPoolExecutor(_READERS) as pool:
        for number, (case, profile) in enumerate(zip(films, pool.map(_profile, films), strict=True)):
            report(done + number, of)
            if profile is not None:
                yield case[0], profile


def _profile(film: tuple[str, FilmSource]) -> Floats | None:
    """Return a film's profile; None if the film cannot be read."""
    case, source = film
    try:
        with DECODERS.turn(case, low_priority=True):
            return spectrum_profile(source.radiograph(MAX_PROFILE_SIDE_PX).pixels)
    except (UnreadableRadiograph, OSError):
        return None


def _kept(file: Path, changed: dict[str, int]) -> dict[str, Floats]:
    """Load cached profiles of unchanged films; empty if the cache is missing or damaged."""
    try:
        table = pq.read_table(file, schema=PROFILES)
    except (OSError, pa.ArrowException):
        return {}
    rows = table.to_pylist()
    return {row["case"]: np.array(row["profile"]) for row in rows if changed.get(row["case"]) == row["changed"]}


def _keep(file: Path, profiles: dict[str, Floats], changed: dict[str, int]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    cases = sorted(profiles)
    columns = {
        "case": cases,
        "changed": [changed[case] for case in cases],
        "profile": [profiles[case].tolist() for case in cases],
    }
    write_table(file, pa.table(columns, schema=PROFILES))
