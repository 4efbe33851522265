"""Requests to the simulator: findings with side and severity, completed from the seed if unstated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from explorer.simulator.draws import draws
from explorer.simulator.version import FIRST_DRAWING, POSTURE_DRAWING

Center = Literal["A", "B"]
CENTERS: tuple[Center, ...] = get_args(Center)
NORMAL = "Normal"

_PAIRED = ("right", "left")
_EITHER = ("right", "left", "both")
_NONE: tuple[str, ...] = ()

# Sides of the patient on which a finding can be; empty if it has no side.
SIDES: dict[str, tuple[str, ...]] = {
    "Aortic Elongation": _NONE,
    "Cardiomegaly": _NONE,
    "Pleural Effusion": _EITHER,
    "Nodule": _PAIRED,
    "Atelectasis": _PAIRED,
    "Pleural Thickening": _EITHER,
    "Aortic Atheromatosis": _NONE,
    "Support Devices": _NONE,
    "Alveolar Pattern": _EITHER,
    "Vascular Hilar Enlargement": _EITHER,
    "Vertebral Degenerative Changes": _NONE,
    "Hyperinflated Lung": _NONE,
    "Interstitial Pattern": _EITHER,
    "Fracture": _PAIRED,
    "Hernia": _NONE,
    "Kyphosis": _NONE,
    "Mass": _PAIRED,
    "Central Venous Catheter": _PAIRED,
    "Hypoexpansion": _NONE,
    "Bronchiectasis": _EITHER,
    "Hemidiaphragm Elevation": _PAIRED,
    "Sternotomy": _NONE,
    "Calcified Densities": _PAIRED,
    "Emphysema": _NONE,
    "Azygos Lobe": _NONE,
    "Hydropneumothorax": _PAIRED,
    "Pneumothorax": _PAIRED,
    "Subcutaneous Emphysema": _EITHER,
    "Pneumoperitoneum": _EITHER,
    "Adenopathy": _EITHER,
    "Bulla": _PAIRED,
    "Goiter": _NONE,
    "Infarction": _PAIRED,
    "Osteopenia": _NONE,
    "Scoliosis": _PAIRED,  # the side to which the spine bulges
}
ABNORMAL: tuple[str, ...] = tuple(SIDES)
# Probabilities of the sides, in order, if unequal: interstitial disease spreads through blood or airways.
_ODDS = {"Interstitial Pattern": (0.1, 0.1, 0.8)}
# Air leaking from a lung tracks into the chest wall on the same side.
_PNEUMOTHORAXES, _WALL_EMPHYSEMA = ("Pneumothorax", "Hydropneumothorax"), "Subcutaneous Emphysema"
# These distort or dim the whole chest; their mask is the anatomy affected.
GLOBAL = frozenset({"Kyphosis", "Scoliosis", "Osteopenia", "Hyperinflated Lung", "Hypoexpansion"})


class WrongRequest(ValueError):
    """The simulator cannot draw this: `title` says why, `detail` what to do."""

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(f"{title}. {detail}")
        self.title = title
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Request:
    """A finding to draw: `side` of the patient, `severity` from 0 (subtle) to 1 (obvious); None: set by the seed."""

    finding: str
    side: str | None = None
    severity: float | None = None


def settle(seed: int, requests: Sequence[str | Request], drawing: int = FIRST_DRAWING) -> tuple[Request, ...]:
    """Complete the requests from the seed: side ("" if the finding has none) and severity.

    Returns them in the order of ABNORMAL; "Normal" requests nothing. From the second `drawing` version on, subcutaneous
    emphysema is on the side of a pneumothorax unless its side is given. Raises WrongRequest.
    """
    asked = [Request(each) if isinstance(each, str) else each for each in requests]
    asked = [each for each in asked if each.finding != NORMAL]
    for each in asked:
        _check(each)
    names = [each.finding for each in asked]
    if len(set(names)) < len(names):
        raise WrongRequest("A finding is named twice", "Name each finding once; some can be on both sides.")
    ordered = sorted(asked, key=lambda each: ABNORMAL.index(each.finding))
    settled = tuple(_complete(seed, each) for each in ordered)
    leaks = {each.side for each in settled if each.finding in _PNEUMOTHORAXES}
    if drawing < POSTURE_DRAWING or not leaks:
        return settled
    beside = leaks.pop() if len(leaks) == 1 else "both"
    free = {each.finding for each in ordered if each.side is None} & {_WALL_EMPHYSEMA}
    return tuple(replace(each, side=beside) if each.finding in free else each for each in settled)


def _complete(seed: int, request: Request) -> Request:
    if request.side is not None and type(request.severity) is float:
        return request  # complete, as in every address
    random = draws(seed, "request", request.finding)
    sides, severity = SIDES[request.finding], float(random.uniform(0, 1))
    side = str(random.choice(sides, p=_ODDS.get(request.finding))) if sides else ""
    return replace(
        request,
        side=side if request.side is None else request.side,
        severity=severity if request.severity is None else float(request.severity),
    )


def _check(request: Request) -> None:
    sides = SIDES.get(request.finding)
    if sides is None:
        raise WrongRequest(
            f"{request.finding!r} is not a finding of the simulator", f"It draws {', '.join(ABNORMAL)}; or Normal."
        )
    if request.side not in (None, *sides, *(() if sides else ("",))):
        remedy = f"Choose {' or '.join(sides)}" if sides else "Omit the side"
        raise WrongRequest(f"{request.finding} cannot be on side {request.side!r}", f"{remedy}.")
    if request.severity is not None and not 0 <= request.severity <= 1:  # also refuses NaN
        raise WrongRequest(f"{request.severity!r} is not a severity", "Give a number from 0 (subtle) to 1 (obvious).")
