"""The spine worn, bent forward and bent to the side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from explorer.phantom.anatomy.form import Form
from explorer.phantom.beam import Floats
from explorer.phantom.chest import Bools, Chest
from explorer.phantom.findings.finding import Finding
from explorer.phantom.request import Request
from explorer.phantom.shapes import curve, smooth, tubes

# From, to, radius there and here; cm.
Piece = tuple[NDArray[np.float64], NDArray[np.float64], float, float]


def spine(chest: Chest) -> Bools:
    """Where the thoracic spine is on the film."""
    bodies = chest.marks.vertebrae
    ends = np.stack([bodies[0] - (bodies[1] - bodies[0]) / 2, bodies[-1] + (bodies[-1] - bodies[-2]) / 2])
    return curve(chest.beam, np.concatenate([ends[:1], bodies, ends[1:]]), 1.7) > 0


def kyphosis(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Stooped: vertebrae crowded, and dense where the beam runs along them; ribs steep behind, trunk short.

    Shoulders and apices stay where they are: they would tell the finding without its bones.
    """
    severity = float(request.severity or 0)
    return replace(
        form,
        spine_round=form.spine_round + 0.45 + 0.95 * severity + float(random.uniform(0, 0.1)),
        rib_slope=form.rib_slope * (1.05 + 0.45 * severity),
        dome_right=form.dome_right - 0.55 - 0.55 * severity,
        dome_left=form.dome_left - 0.55 - 0.55 * severity,
    )


def scoliosis(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Bulging to the asked side; 10 degrees of Cobb angle are the least that is called scoliosis (Scoliosis Research
    Society), about 0.7 cm of bulge on 24 cm of spine; 45 degrees are 3.3 cm."""
    severity = float(request.severity or 0)
    sign = -1.0 if request.side == "right" else 1.0
    return replace(form, spine_bend=sign * (0.9 + 3.0 * severity + float(random.uniform(0, 0.3))))


def degeneration(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Worn disks: bony beaks at the edges of neighboring bodies that reach for each other, hard end plates.

    Mostly on the right side of the lower chest: the aorta's beat keeps the left free (Resnick's observation on
    diffuse idiopathic hyperostosis).
    """
    severity = float(request.severity or 0)
    bodies = chest.marks.vertebrae
    levels = np.arange(3, len(bodies) - 1)
    count = int(np.clip(round(2 + 3.5 * severity + random.uniform(-0.5, 0.5)), 2, len(levels)))
    odds = np.linspace(0.4, 1.0, len(levels))
    beaks, plates = [], []
    for pick in sorted(random.choice(levels, size=count, replace=False, p=odds / odds.sum())):
        worn = severity * float(random.uniform(0.7, 1.1))  # no two levels wear alike
        beak, plate = _disk(bodies[pick], bodies[pick + 1], worn, random)
        beaks += beak
        plates += plate
    added = (2.8 + 1.7 * severity) * _pieces(chest, beaks) + (1.1 + 0.8 * severity) * _pieces(chest, plates)
    added = gaussian_filter(added, 0.09 / chest.beam.pixel)
    chest.bone += added
    return np.asarray(added > 0.15 + 0.1 * severity)


def _disk(
    above: NDArray[np.float64], below: NDArray[np.float64], severity: float, random: np.random.Generator
) -> tuple[list[Piece], list[Piece]]:
    """The beaks at both sides of one disk and the end plates above and below it."""
    middle, height = (above + below) / 2, float(np.linalg.norm(below - above)) / 2
    half = 0.8 + 0.66 * height  # a body's half width, as in anatomy.spine
    beaks: list[Piece] = []
    for sign, odds in ((-1.0, 0.95), (1.0, 0.15 + 0.25 * severity)):
        if random.uniform() > odds:
            continue
        bridged = random.uniform() < severity - 0.45
        lone = not bridged and random.uniform() < 0.35
        for way in (-1.0, 1.0):
            if not lone or way * random.uniform(-1, 1) > 0:
                beaks += _beak(middle, np.array([sign, way]), half, height, severity, bridged, random)
    hard = 0.16 + 0.08 * severity
    plates: list[Piece] = []
    for way in (-1.0, 1.0):
        left, right = half * random.uniform(0.25, 0.95, 2)
        edge = middle + [0, way * (0.42 - 0.1 * severity), 0]
        tilt = float(random.normal(0, 0.07))
        plates.append((edge - [left, tilt, 0], edge + [right, tilt, 0], hard, hard))
    return beaks, plates


def _beak(
    middle: NDArray[np.float64],
    ways: NDArray[np.float64],
    half: float,
    height: float,
    severity: float,
    bridged: bool,
    random: np.random.Generator,
) -> list[Piece]:
    """A claw: broad on the body's edge, drawn out along the disk, its tip short of the neighbor's unless bridged."""
    size = (0.4 + 0.5 * severity) * float(random.uniform(0.5, 1.3))
    thick = (0.22 + 0.1 * severity) * float(random.uniform(0.85, 1.15))
    tip = 0.08 if bridged else float(random.uniform(0.3, 0.48))
    root = tip + float(random.uniform(0.05, 0.3)) * height
    along = np.linspace(0, 1, 8)
    out = half - 0.35 + (size + 0.35) * along
    off = tip + (root - tip) * np.cos(np.pi / 2 * along) - 0.06 * along**4
    course = middle + np.stack([ways[0] * out, ways[1] * off, np.zeros(8)], 1)
    radii = thick * (1 - (0.45 if bridged else 0.75) * along)
    return list(zip(course[:-1], course[1:], radii[:-1].tolist(), radii[1:].tolist(), strict=True))


def _pieces(chest: Chest, pieces: list[Piece]) -> Floats:
    """Path (size, size) through tapering tubes."""
    if not pieces:
        return np.zeros_like(chest.bone)
    starts, ends, first, last = (np.array(each) for each in zip(*pieces, strict=True))
    return tubes(chest.beam, starts, ends, np.stack([first, last], 1))


def _stooped(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """The beam runs along the tilted bodies and their arches: the column is denser, where it is most tilted."""
    severity = float(request.severity or 0)
    where = spine(chest)
    bodies = chest.marks.vertebrae
    tilted = np.abs(np.interp(chest.beam.at(float(bodies[:, 2].mean()))[1], bodies[:, 1], np.linspace(1, -1, 12)))
    column = gaussian_filter(where.astype(np.float32), 0.35 / chest.beam.pixel, truncate=2)
    chest.bone *= 1 + column * (0.5 + 2.2 * severity) * tilted.astype(np.float32)
    _chin(chest, severity, random)
    return where


def _chin(chest: Chest, severity: float, random: np.random.Generator) -> None:
    """The head comes forward: the chin's shadow sinks over the apices, its jaw as a bow of bone."""
    x, z = float(random.normal(0, 0.6)), 9.0
    low = float(chest.marks.vertebrae[0, 1]) - 6.0 + 8.5 * severity  # the chin's lower edge
    ray_x, ray_y = chest.beam.at(z)
    inside = 1 - ((ray_x - x) / np.float32(5.6)) ** 2 - ((ray_y - np.float32(low - 7.5)) / np.float32(7.5)) ** 2
    chest.soft += 2.4 * smooth(inside, -0.05, 0.9)
    turn = np.linspace(0.2, np.pi - 0.2, 24)
    jaw = np.stack([x + 4.6 * np.cos(turn), low - 8.4 + 7.0 * np.sin(turn) ** 0.8, np.full(24, z)], 1)
    chest.bone += 0.8 * curve(chest.beam, jaw, 0.7 + 0.35 * np.sin(turn) ** 4, 0.3, 0.7)


def _bent(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    return spine(chest)


SPINE = {
    "Vertebral Degenerative Changes": Finding(degeneration),
    "Kyphosis": Finding(_stooped, kyphosis),
    "Scoliosis": Finding(_bent, scoliosis),
}
