"""Does it matter how an inserted nodule lies to the ribs? Scores as it is put, and moved to lie as in its patient.

An inserted nodule corresponds in the lung, not among the ribs. Here it is moved up or down by at most half the distance
of two ribs, so that ribs cover as much of it as in its simulated patient; as much as possible; and as little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logit

from explorer.insertion.alignment import Point, stamp_of
from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Insertion, simulated_change, stamped, with_fixed_place
from explorer.simulator.anatomy_masks import anatomy_masks
from explorer.simulator.version import NEWEST_DRAWING
from models.anatomy import anatomy
from models.array_types import Bools
from models.load import classifier
from models.radiograph import Radiograph
from models.statistics import patient_resamples
from tests.benchmarks.inserted_films import RESAMPLES, Estimate, Floats, Host, Names, hannover_hosts, ranked, scores_of

MODELS = ("nih-linear-probe", "nih-ensemble")
FINDING, SEVERITY = "Nodule", 0.6
HALF_A_SPACE = 0.06  # of the lung's height: about nine ribs of the back cross a lung
WAYS = ("as it is put", "as in its patient", "on a rib", "between ribs")


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A film with the nodule in each of WAYS, how much of it ribs cover, and how far it was moved, in lung heights."""

    films: tuple[Radiograph, ...]
    covered: tuple[float, ...]
    moved: tuple[float, ...]


def placed(host: Host, patient: int) -> Placed:
    """Return a film with the nodule of a simulated patient."""
    wanted = with_fixed_place(host.lungs, Insertion(FINDING, SIDES[patient % 2], SEVERITY, patient))
    assert wanted.point is not None
    lung, ribs = host.lungs.on(wanted.side), anatomy(host.film)["ribs"]
    change = simulated_change(FINDING, wanted.side, SEVERITY, patient)
    own = float(anatomy_masks(patient, [], "A", len(change.mask), NEWEST_DRAWING)["ribs"][change.mask].mean())
    stamp, scale = stamp_of(change, lung, wanted.point), FilmScale.of(host.film.pixels, host.lungs.both)
    height = int(np.ptp(np.flatnonzero(lung.any(1))))
    most = max(round(HALF_A_SPACE * height), 1)
    points: list[Point] = [(wanted.point[0], wanted.point[1] + step) for step in range(-most, most + 1)]
    there = [each for each in points if _is_inside(lung, each)] or [wanted.point]
    by_point = {each: _covered(ribs, stamp.mask, stamp.window(each, ribs.shape)) for each in [wanted.point, *there]}
    near = sorted(by_point, key=lambda each: abs(each[1] - wanted.point[1]))
    chosen = (
        wanted.point,
        min(near, key=lambda each: abs(by_point[each] - own)),
        max(near, key=lambda each: by_point[each]),
        min(near, key=lambda each: by_point[each]),
    )
    films = (replace(host.film, pixels=stamped(host.film.pixels, scale, stamp, each).film) for each in chosen)
    covered = tuple(by_point[each] for each in chosen)
    return Placed(tuple(films), covered, tuple(abs(each[1] - wanted.point[1]) / height for each in chosen))


def lines(count: int) -> Iterator[str]:
    """Yield how the ribs cover the nodule, and for each model what that does to its score."""
    hosts = hannover_hosts(count)
    some = [placed(host, row) for row, host in enumerate(hosts)]
    patients: Names = np.array([host.patient for host in hosts])
    yield f"{len(hosts)} films of Hannover with a {FINDING.lower()}, severity {SEVERITY}"
    for place, way in enumerate(WAYS):
        covered, moved = (np.mean([getattr(each, name)[place] for each in some]) for name in ("covered", "moved"))
        yield f"{way}: ribs cover {covered:.2f} of it, moved by {moved:.3f} of the lung's height"
    for name in MODELS:
        model = classifier(name, "cpu")
        column = model.card.findings.index(FINDING)
        without = scores_of(model, [host.film for host in hosts])[:, column].astype(np.float64)
        ways = [
            scores_of(model, [each.films[place] for each in some])[:, column].astype(np.float64)
            for place in range(len(WAYS))
        ]
        put, own, on, between = (logit(each) for each in ways)
        yield f"{name}: log odds rise by {_mean(put - logit(without), patients)}, spread {logit(without).std():.2f}"
        yield f"{name}: as in its patient instead, {_mean(own - put, patients)}; size {np.abs(own - put).mean():.3f}"
        yield f"{name}: on a rib instead of between, {_mean(on - between, patients)}"
        found, samples = ranked({way: (without, each) for way, each in zip(WAYS, ways, strict=True)}, patients)
        first, second = WAYS[:2]
        difference = Estimate.of(found[second] - found[first], samples[second] - samples[first])
        yield f"{name}: AUROC {found[first]:.3f} {first}, {found[second]:.3f} {second}, difference {_three(difference)}"


def _is_inside(lung: Bools, point: Point) -> bool:
    column, row = round(point[0]), round(point[1])
    return 0 <= row < lung.shape[0] and 0 <= column < lung.shape[1] and bool(lung[row, column])


def _covered(ribs: Bools, mask: Bools, window: tuple[tuple[slice, slice], tuple[slice, slice]]) -> float:
    on_film, own = window
    return float(ribs[on_film][mask[own]].mean())


def _mean(values: Floats, patients: Names) -> str:
    drawn = [float(values[rows].mean()) for rows in patient_resamples(patients, RESAMPLES)]
    return _three(Estimate.of(float(values.mean()), drawn))


def _three(figure: Estimate) -> str:
    return f"{figure.value:+.3f} [{figure.low:+.3f}, {figure.high:+.3f}]"
