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
        dome_right=form.dome_right - 0.6 - 1.2 * severity,
        dome_left=form.dome_left - 0.6 - 1.2 * severity,
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
    count = int(np.clip(round(2 + 2.5 * severity + random.uniform(-0.5, 0.5)), 2, len(levels)))
    odds = np.linspace(0.4, 1.0, len(levels))
    beaks, plates = [], []
    for pick in sorted(random.choice(levels, size=count, replace=False, p=odds / odds.sum())):
        worn = severity * float(random.uniform(0.7, 1.1))  # no two levels wear alike
        beak, plate = _disk(bodies[pick], bodies[pick + 1], worn, random)
        beaks += beak
        plates += plate
    added = (2.2 + 1.4 * severity) * _pieces(chest, beaks) + (2.5 + 1.6 * severity) * _pieces(chest, plates)
    added = gaussian_filter(added, 0.07 / chest.beam.pixel)
    chest.bone += added
    return np.asarray(added > 0.15 + 0.1 * severity)


def _disk(
    above: NDArray[np.float64], below: NDArray[np.float64], severity: float, random: np.random.Generator
) -> tuple[list[Piece], list[Piece]]:
    """The beaks at both sides of one disk and the end plates above and below it."""
    middle, height = (above + below) / 2, float(np.linalg.norm(below - above)) / 2
    half = 0.8 + 0.66 * height  # a body's half width, as in anatomy.spine
    thick = np.array([0.36, 0.28, 0.12]) * (0.8 + 0.4 * severity) * random.uniform(0.8, 1.2)
    beaks: list[Piece] = []
    for sign, odds in ((-1.0, 0.95), (1.0, 0.2 + 0.25 * severity)):
        reach = (0.55 + 0.8 * severity) * float(random.uniform(0.5, 1.35))
        bridged = random.uniform() < severity - 0.3
        gap = 0.0 if bridged else 0.12
        if random.uniform() < odds:
            for way, part in zip((-1.0, 1.0), random.uniform(0.45, 1.1, 2), strict=True):
                root = middle + [sign * (half - 0.25), way * height * 0.62, 0]
                elbow = middle + [sign * (half + 0.75 * reach * part), way * height * random.uniform(0.22, 0.42), 0]
                tip = middle + [sign * (half + reach * part), way * gap, 0]
                beaks += [(root, elbow, thick[0], thick[1]), (elbow, tip, thick[1], thick[2])]
    hard = 0.12 + 0.06 * severity
    edges = [middle + [0, way * (0.28 - 0.12 * severity), 0] for way in (-1.0, 1.0)]
    wide = np.array([half * 0.95, 0, 0])
    return beaks, [(edge - wide, edge + wide, hard, hard) for edge in edges]


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
    chest.bone *= 1 + column * (0.4 + 1.8 * severity) * tilted.astype(np.float32)
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
